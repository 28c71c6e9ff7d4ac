import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

function Page({ startsInField = true }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>New room</Button>
      {open && (
        <Dialog
          title="A new room"
          description="One story."
          startsInField={startsInField}
          onClose={() => setOpen(false)}
        >
          <input aria-label="Name" />
        </Dialog>
      )}
    </>
  )
}

test.each(['Escape', 'Close'])(
  'a person closes a dialog by %s, and the focus returns to the button that opened it',
  async (way) => {
    render(<Page />)
    const opener = screen.getByRole('button', { name: 'New room' })
    opener.focus()
    fireEvent.click(opener)
    const dialog = screen.getByRole('dialog', { name: 'A new room', description: 'One story.' })
    expect(document.activeElement).toBe(screen.getByLabelText('Name'))

    if (way === 'Escape') fireEvent.keyDown(dialog, { key: 'Escape' })
    else fireEvent.click(screen.getByRole('button', { name: 'Close' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    await waitFor(() => expect(document.activeElement).toBe(opener))
  },
)

test.each([
  ['a dialog without fields', false, 'fine'],
  ['a dialog without fields on a touch screen', false, 'coarse'],
  ['a form on a touch screen, where a keyboard would cover it,', true, 'coarse'],
])(
  'a person who opens %s has the focus on its title, not on the button that closes',
  (_dialog, startsInField, pointer) => {
    vi.spyOn(globalThis, 'matchMedia').mockImplementation(
      (query) => ({ matches: query === `(pointer: ${pointer})` }) as MediaQueryList,
    )
    render(<Page startsInField={startsInField} />)
    fireEvent.click(screen.getByRole('button', { name: 'New room' }))
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'A new room' }))
  },
)
