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
