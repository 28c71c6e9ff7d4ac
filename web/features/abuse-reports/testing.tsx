import 'fake-indexeddb/auto'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect } from 'vitest'
import { reportAbuse } from '#contract/abuse-reports/endpoints.ts'
import type { AbuseReport } from '#contract/abuse-reports/report.ts'
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
  await screen.findByText('Thank you. The admins and moderators have your report.')
  const { kind, targetId } = server.inputs(reportAbuse).at(-1)!
  return { kind, targetId }
}

let reportCount = 0
/** An open report of a post. */
export const aReport = (more: Partial<AbuseReport> = {}): AbuseReport => ({
  id: `01900000-0000-7000-8000-${String(++reportCount).padStart(12, '0')}`,
  kind: 'post',
  targetId: '01900000-0000-7000-9000-000000000001',
  category: 'spam',
  reason: 'The same in ten rooms.',
  copy: {
    content: 'Buy my lamp',
    authorId: 'h3m9w5zt8v',
    authorName: 'Ben Okafor',
    createdAt: '2025-06-09T12:00:00.000Z',
  },
  reporterId: 'c5x2n7qk4d',
  reporterName: 'Cleo Ross',
  exists: true,
  roomId: null,
  isInStory: false,
  createdAt: '2025-06-10T12:00:00.000Z',
  status: 'open',
  outcome: null,
  actions: [],
  note: null,
  closedAt: null,
  closedBy: null,
  ...more,
})
