import 'fake-indexeddb/auto'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect } from 'vitest'
import { reportAbuse } from '#contract/abuse-reports/endpoints.ts'
import type { FakeServer } from '#web/testing/fake-server.ts'

export const reportButtons = () => screen.queryAllByRole('button', { name: /^Report/ })

/** Fills in and sends the open dialog. Returns what the server got of the reported thing. */
export async function sendReport(server: FakeServer) {
  server.on(reportAbuse, { id: '01900000-0000-7000-8000-000000000009', isNew: true })
  const dialog = within(await screen.findByRole('dialog', { name: /^Report this/ }))
  fireEvent.click(dialog.getByRole('radio', { name: 'Hate' }))
  const field = dialog.getByRole<HTMLTextAreaElement>('textbox')
  await waitFor(() => expect(field.readOnly).toBe(false))
  fireEvent.change(field, { target: { value: 'Unkind' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Send report' }))
  await screen.findByText('Thank you. The admins have your report.')
  const { kind, targetId } = server.inputs(reportAbuse).at(-1)!
  return { kind, targetId }
}
