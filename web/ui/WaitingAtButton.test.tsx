import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

/** How the file of the menu is fetched. */
let fetchFile: () => Promise<unknown>
beforeEach(() => {
  vi.resetModules()
  vi.doMock('./MenuContent.tsx', async (original) => {
    await fetchFile()
    return await original()
  })
})

async function openPage() {
  const { Menu } = await import('./Menu.tsx')
  render(
    <>
      <Menu trigger={<button type="button">More</button>} items={[{ label: 'Rename', onSelect: () => {} }]} />
      <textarea aria-label="Text" />
    </>,
  )
  return screen.getByRole('button', { name: 'More' })
}
const text = () => screen.getByRole('textbox', { name: 'Text' })
const menu = () => screen.queryByRole('menu')

const waysToGoOn: [string, (button: HTMLElement) => unknown][] = [
  ['goes to a field', () => act(() => text().focus())],
  ['types in a field', () => fireEvent.keyDown(text(), { key: 'a' })],
  ['presses another place', () => fireEvent.pointerDown(document.body)],
  ['presses Escape', (button) => fireEvent.keyDown(button, { key: 'Escape' })],
  ['presses the button again', (button) => fireEvent.pointerDown(button, { button: 0 })],
]

test.each(waysToGoOn)(
  'a person who %s while the menu is fetched keeps the focus, and opens the menu by the next press',
  async (_what, goOn) => {
    const file = Promise.withResolvers<void>()
    fetchFile = () => file.promise
    const more = await openPage()
    fireEvent.pointerDown(more, { button: 0 })
    expect(more.getAttribute('aria-expanded')).toBe('true')
    goOn(more)
    expect(more.getAttribute('aria-expanded')).toBe('false')
    const focused = document.activeElement
    file.resolve()
    await act(() => vi.dynamicImportSettled())
    expect([menu(), document.activeElement]).toEqual([null, focused])

    fireEvent.pointerDown(more, { button: 0 })
    await waitFor(() => expect(menu()).not.toBeNull())
  },
)

test('a person who waits for the menu gets it, with the focus in it', async () => {
  const file = Promise.withResolvers<void>()
  fetchFile = () => file.promise
  const more = await openPage()
  more.focus()
  fireEvent.keyDown(more, { key: 'Enter' })
  await act(() => vi.dynamicImportSettled())
  expect(menu()).toBeNull()
  file.resolve()
  const item = await screen.findByRole('menuitem', { name: 'Rename' })
  await waitFor(() => expect(document.activeElement).toBe(item))
})

test('a person reads that the menu could not be loaded, cancels, and gets it by a later press [R22]', async () => {
  vi.useFakeTimers()
  fetchFile = () => Promise.reject(new Error('The file is missing.'))
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const more = await openPage()
  fireEvent.pointerDown(more, { button: 0 })
  await act(() => vi.advanceTimersByTimeAsync(5000))
  expect(screen.getByRole('alertdialog').textContent).toContain('This part could not be loaded.')
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect([screen.queryByRole('alertdialog'), more.getAttribute('aria-expanded')]).toEqual([null, 'false'])

  vi.useRealTimers()
  // Vitest would give the same failure again.
  vi.doUnmock('./MenuContent.tsx')
  fireEvent.pointerDown(more, { button: 0 })
  await waitFor(() => expect(menu()).not.toBeNull())
})

test('a menu is fetched some time after the page was shown, before anybody opens it', async () => {
  vi.useFakeTimers()
  let fetches = 0
  fetchFile = async () => void fetches++
  await openPage()
  expect(fetches).toBe(0)
  await act(() => vi.advanceTimersByTimeAsync(4000))
  await vi.waitFor(() => expect(fetches).toBe(1))
})
