import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect } from 'vitest'

export const eraseDialog = (name: string) =>
  screen.findByRole('dialog', { name: `Erase this ${name} for good?` })

/** Confirms the erasure in the open dialog. */
export async function confirmErasure(name: string, reason = '') {
  const dialog = within(await eraseDialog(name))
  const field = dialog.getByLabelText<HTMLTextAreaElement>(/^Reason/)
  await waitFor(() => expect(field.readOnly).toBe(false))
  if (reason !== '') fireEvent.change(field, { target: { value: reason } })
  fireEvent.click(dialog.getByRole('checkbox', { name: 'I know that nobody can bring it back' }))
  const button = dialog.getByRole<HTMLButtonElement>('button', { name: 'Erase for good' })
  await waitFor(() => expect(button.disabled).toBe(false))
  fireEvent.click(button)
}
