import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, vi } from 'vitest'

interface SavedFile {
  name: string
  address: string
  type: string
  text: () => Promise<string>
}

/** The files that the page gives to the browser from now on, in their order. */
export function watchSaving(): SavedFile[] {
  const saved: SavedFile[] = []
  const files = new Map<string, Blob>()
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    const address = `blob:${files.size}`
    files.set(address, file as Blob)
    return address
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    const address = this.getAttribute('href')!
    const file = files.get(address)
    saved.push({
      name: this.download,
      address,
      type: file?.type ?? '',
      text: async () => new TextDecoder().decode(await file!.arrayBuffer()),
    })
  })
  return saved
}

/** Opens the menu of formats. */
export async function openFormats() {
  const button = await screen.findByRole('button', { name: 'Save as…' })
  await waitFor(() => expect(button.getAttribute('aria-busy')).toBeNull())
  // The first press fetches the menu. Later the menu opens by keys, for which the fake browser needs no pointer.
  fireEvent.click(button)
  if (button.isConnected) fireEvent.keyDown(button, { key: 'Enter' })
  return screen.findByRole('menu')
}

/** Saves what the page offers in a format. */
export async function saveAs(format: string) {
  await openFormats()
  fireEvent.click(screen.getByRole('menuitem', { name: format }))
}
