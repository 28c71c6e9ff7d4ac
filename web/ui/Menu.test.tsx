import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { Menu } from './Menu.tsx'

afterEach(cleanup)

function Page() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Menu trigger={<Button>More</Button>} items={[{ label: 'Rename', onSelect: () => setOpen(true) }]} />
      {open && (
        <Dialog title="A new name" onClose={() => setOpen(false)}>
          <input aria-label="Name" />
        </Dialog>
      )}
    </>
  )
}

test('a person opens a menu by key, and after a dialog of the menu is closed the focus is on the button of the menu', async () => {
  render(<Page />)
  const more = screen.getByRole('button', { name: 'More' })
  more.focus()
  fireEvent.keyDown(more, { key: 'Enter' })
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Rename' }))

  const dialog = await screen.findByRole('dialog', { name: 'A new name' })
  expect(screen.queryByRole('menu')).toBeNull()
  fireEvent.keyDown(dialog, { key: 'Escape' })
  await waitFor(() => expect(document.activeElement).toBe(more))
})

test('the first key that opens a menu moves the focus to its first item, a press of a pointer to the menu', async () => {
  render(
    <>
      <Page />
      <Menu trigger={<Button>Other</Button>} items={[{ label: 'Delete', onSelect: () => {} }]} />
    </>,
  )
  const more = screen.getByRole('button', { name: 'More' })
  fireEvent.keyDown(more, { key: 'ArrowDown' })
  expect(more.getAttribute('aria-expanded')).toBe('true')
  const item = await screen.findByRole('menuitem', { name: 'Rename' })
  await waitFor(() => expect(document.activeElement).toBe(item))
  fireEvent.keyDown(item, { key: 'Escape' })
  await waitFor(() => expect(document.activeElement).toBe(more))

  fireEvent.pointerDown(screen.getByRole('button', { name: 'Other' }), { button: 0 })
  const menu = await screen.findByRole('menu', { name: 'Other' })
  await waitFor(() => expect(document.activeElement).toBe(menu))
})

test('a second press of the button closes the menu, and a press of another mouse button opens none', async () => {
  render(<Page />)
  const more = screen.getByRole('button', { name: 'More' })
  expect([more.getAttribute('aria-haspopup'), more.getAttribute('aria-expanded')]).toEqual(['menu', 'false'])
  fireEvent.pointerDown(more, { button: 2 })
  fireEvent.pointerDown(more, { button: 0, ctrlKey: true })
  expect(more.getAttribute('aria-expanded')).toBe('false')
  fireEvent.pointerDown(more, { button: 0 })
  const menu = await screen.findByRole('menu', { name: 'More' })
  expect(more.getAttribute('aria-controls')).toBe(menu.id)
  fireEvent.pointerDown(more, { button: 0 })
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  expect(more.getAttribute('aria-expanded')).toBe('false')
  expect(screen.getByRole('button', { name: 'More' })).toBe(more)
})
