import 'fake-indexeddb/auto'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { getStats } from '#contract/admin/endpoints.ts'
import { listTodaysPosts } from '#contract/feed/review/endpoints.ts'
import { noStats } from '#web/testing/stats.ts'
import { erasePassage, erasePost } from '#contract/erasing/endpoints.ts'
import { done } from '#contract/schemas.ts'
import { confirmErasure } from '#web/features/erasing/testing.tsx'
import { closeAbuseReport, listAbuseReports } from '#contract/abuse-reports/endpoints.ts'
import { listPendingPosts } from '#contract/feed/endpoints.ts'
import { type AbuseReport, actionsOf } from '#contract/abuse-reports/report.ts'
import { aReport } from '#web/features/abuse-reports/testing.tsx'
import { forgetDraftsOf } from '#web/lib/editor/drafts.ts'
import { show, startTestPage } from '#web/testing/page.tsx'
import { admin } from '#web/testing/people.ts'
import { AdminPage } from './AdminPage.tsx'

const server = startTestPage()

const closed = {
  status: 'closed',
  outcome: 'warned',
  closedBy: 'Ana',
  closedAt: '2025-06-10T13:00:00.000Z',
} as const

let stored: AbuseReport[]
beforeEach(async () => {
  await forgetDraftsOf(admin.id)
  server.on(listAbuseReports, () => stored)
  server.on(closeAbuseReport, ({ params, input }) => {
    const { outcome, note } = input
    const report = {
      ...stored.find(({ id }) => id === params.id)!,
      ...closed,
      outcome,
      note,
      actions: actionsOf(input),
    }
    stored = stored.map((each) => (each.id === report.id ? report : each))
    return report
  })
})

function open(...reports: AbuseReport[]) {
  stored = reports
  show(<AdminPage />, { at: '/admin?part=reports', user: admin })
}
const rows = () => within(screen.getByRole('list', { name: 'Reports' })).getAllByRole('listitem')

async function openClosing() {
  fireEvent.click(await screen.findByRole('button', { name: /^Close report of a post/ }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Close this report' }))
  const note = dialog.getByLabelText<HTMLTextAreaElement>('Note (optional), for admins and moderators')
  await waitFor(() => expect(note.readOnly).toBe(false))
  return {
    ...dialog,
    note,
    send: () => fireEvent.click(dialog.getByRole('button', { name: 'Close report' })),
  }
}

test('an admin comes from the dashboard to the reports [PPL-06]', async () => {
  stored = []
  server.on(getStats, noStats)
  server.on(listTodaysPosts, [])
  server.on(listPendingPosts, [])
  show(<AdminPage />, { at: '/admin', user: admin })
  fireEvent.click(screen.getByRole('link', { name: 'Reports of readers' }))
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Reports of readers')
  expect(await screen.findByText('Nobody has reported anything')).toBeTruthy()
})

test('an admin reads what was reported, who wrote it, who reports it and why, and opens it where it exists [PPL-06]', async () => {
  const inRoom = { kind: 'passage', roomId: '01900000-0000-7000-8000-000000000077' } as const
  open(
    aReport(),
    aReport(inRoom),
    aReport({ ...inRoom, isInStory: true }),
    aReport({ exists: false }),
    aReport({ kind: 'message', reporterName: null, reason: null }),
    aReport({ kind: 'person' }),
  )
  await waitFor(() => expect(rows()).toHaveLength(6))
  const [post, passage, ofStory, gone, message, person] = rows()
  for (const text of ['Buy my lamp', 'The same in ten rooms.', 'Spam or fraud', 'A post of Ben Okafor'])
    expect(within(post!).getByText(text)).toBeTruthy()
  expect(post!.textContent).toContain('Cleo Ross reported this Jun 10, 2025')
  const pathIn = (row: HTMLElement) => within(row).queryByRole('link')?.getAttribute('href') ?? null
  expect(pathIn(post!)).toBe('/posts/01900000-0000-7000-9000-000000000001')
  expect(pathIn(passage!)).toBe(`/zimmers?view=rooms&room=${inRoom.roomId}`)
  expect(pathIn(ofStory!)).toBe(`/stories/${inRoom.roomId}`)
  expect([pathIn(gone!), pathIn(message!)]).toEqual([null, null])
  expect(gone!.textContent).toContain('It cannot be found any more')
  expect(message!.textContent).toContain('A deleted user reported this')
  expect(message!.textContent).toContain('The reason is not stored any more.')
  expect(within(person!).getByRole('heading', { name: 'Ben Okafor' })).toBeTruthy()
})

test('an admin reads the open report of a person who has deleted the account, with and without an introduction [PPL-06 S15]', async () => {
  const { copy } = aReport()
  const ofDeleted = (content: string | null) =>
    aReport({
      kind: 'person',
      exists: false,
      copy: { ...copy, content, authorId: null, authorName: 'Deleted user' },
    })
  open(ofDeleted('I write rude things.'), ofDeleted(''), ofDeleted(null))
  expect(await screen.findAllByRole('heading', { name: 'Deleted user' })).toHaveLength(3)
  const sentences = [
    'I write rude things.',
    'The person had no introduction.',
    'The copy is missing or damaged.',
  ]
  for (const [place, sentence] of sentences.entries()) {
    expect(within(rows()[place]!).getByText(sentence)).toBeTruthy()
    expect(rows()[place]!.textContent).toContain('It cannot be found any more')
  }
  expect(screen.getAllByRole('button', { name: 'Close report of a person of Deleted user' })).toHaveLength(3)
})

test('an admin sees the beginning of a long copy, and the rest by a button [PPL-06]', async () => {
  open(aReport({ copy: { ...aReport().copy, content: `${'word '.repeat(200)}the end` } }))
  fireEvent.click(await screen.findByRole('button', { name: 'Show all' }))
  expect(screen.getByText(/the end$/)).toBeTruthy()
})

test('an admin closes a report with an outcome and a note, and sees both in the list [PPL-12]', async () => {
  open(aReport())
  const dialog = await openClosing()
  dialog.send()
  expect(await dialog.findByText('Please choose an outcome.')).toBeTruthy()
  expect(server.calls(closeAbuseReport)).toEqual([])
  fireEvent.click(dialog.getByRole('radio', { name: 'Removed' }))
  fireEvent.change(dialog.note, { target: { value: 'I hid the post.' } })
  dialog.send()
  expect(await screen.findByText('The report is closed.')).toBeTruthy()
  expect(server.inputs(closeAbuseReport)).toEqual([{ outcome: 'removed', note: 'I hid the post.' }])
  expect(await screen.findByText('I hid the post.')).toBeTruthy()
  expect(rows()[0]!.textContent).toContain('Removed · Ana')
  await waitFor(() =>
    expect(document.activeElement).toBe(within(rows()[0]!).getByRole('heading', { level: 2 })),
  )
  expect(screen.queryByRole('button', { name: /^Close report/ })).toBeNull()
})

test('an admin who leaves a report open has the focus on the button that closes it again [PPL-12]', async () => {
  open(aReport())
  const button = await screen.findByRole('button', { name: /^Close report of a post/ })
  button.focus()
  const dialog = await openClosing()
  fireEvent.click(dialog.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(document.activeElement).toBe(button))
})

test('an admin closes a report without a note [PPL-12]', async () => {
  open(aReport())
  const dialog = await openClosing()
  fireEvent.click(dialog.getByRole('radio', { name: 'Kept as it is' }))
  dialog.send()
  expect(await screen.findByText('The report is closed.')).toBeTruthy()
  expect(server.inputs(closeAbuseReport)).toEqual([{ outcome: 'kept', note: '' }])
})

test('an admin who comes second reads who has closed the report, and keeps the note [PPL-12]', async () => {
  open(aReport())
  const dialog = await openClosing()
  fireEvent.click(dialog.getByRole('radio', { name: 'Removed' }))
  fireEvent.change(dialog.note, { target: { value: 'I hid the post.' } })
  stored = [{ ...stored[0]!, ...closed, note: 'First' }]
  server.refuse(closeAbuseReport, 'ReportClosed')
  dialog.send()
  expect(await dialog.findByText('Ana has closed this report.', {}, { timeout: 8000 })).toBeTruthy()
  expect(dialog.note.value).toBe('I hid the post.')
  expect(await screen.findByText('First')).toBeTruthy()
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Close report' }).disabled).toBe(true)
})

test('an admin whose reports cannot be loaded reads so and tries again [PPL-06]', async () => {
  stored = [aReport()]
  server.refuse(listAbuseReports, 'NotAllowed')
  show(<AdminPage />, { at: '/admin?part=reports', user: admin })
  expect(await screen.findByText('The reports could not be loaded.')).toBeTruthy()
  server.on(listAbuseReports, () => stored)
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Buy my lamp')).toBeTruthy()
})

test('an admin erases a reported post and a reported passage, and a report whose copy is erased offers no more of it [INST-13]', async () => {
  const roomId = '01900000-0000-7000-8000-000000000077'
  const takenBack = aReport({ exists: false })
  const passage = aReport({ kind: 'passage', targetId: '01900000-0000-7000-9000-000000000002', roomId })
  open(takenBack, passage, aReport({ kind: 'message' }), aReport({ kind: 'person' }))
  const eraseCopy = (targetId: string) => {
    stored = stored.map((each) =>
      each.targetId === targetId ? { ...each, exists: false, copy: { ...each.copy, content: null } } : each,
    )
    return done
  }
  server.on(erasePost, () => eraseCopy(takenBack.targetId))
  server.on(erasePassage, ({ params }) => eraseCopy(params.passageId))
  await waitFor(() => expect(rows()).toHaveLength(4))
  const eraseButtons = () =>
    screen.queryAllByRole('button', { name: /^Erase/ }).map(({ textContent }) => textContent)
  expect(eraseButtons()).toEqual(['Erase the post of Ben Okafor', 'Erase the passage of Ben Okafor'])
  fireEvent.click(screen.getByRole('button', { name: 'Erase the passage of Ben Okafor' }))
  await confirmErasure('passage')
  await waitFor(() =>
    expect(rows()[1]!.textContent).toContain('The text was erased, or the copy is damaged.'),
  )
  expect(server.calls(erasePassage)).toMatchObject([{ params: { id: roomId, passageId: passage.targetId } }])
  expect(eraseButtons()).toHaveLength(1)
})

test('an admin can erase a reported text while it exists, also when its copy is damaged [INST-13]', async () => {
  const copy = { ...aReport().copy, content: null }
  const passage = { kind: 'passage', copy, roomId: '01900000-0000-7000-8000-000000000077' } as const
  open(
    aReport({ copy }),
    aReport(passage),
    aReport({ copy, exists: false }),
    aReport({ ...passage, exists: false }),
  )
  await waitFor(() => expect(rows()).toHaveLength(4))
  expect(rows().map((row) => within(row).queryByRole('button', { name: /^Erase/ }) !== null)).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('an admin reads where an aside was said while it exists, and that it is gone; closing the report is the way to erase it [TABLE-01]', async () => {
  const roomId = '01900000-0000-7000-8000-000000000077'
  const { copy } = aReport()
  open(
    aReport({ kind: 'aside', roomId }),
    aReport({ kind: 'aside', exists: false }),
    aReport({ kind: 'aside', exists: false, copy: { ...copy, content: null } }),
  )
  await waitFor(() => expect(rows()).toHaveLength(3))
  const [there, gone, erased] = rows()
  expect(within(there!).getByRole('heading', { name: 'An aside of Ben Okafor' })).toBeTruthy()
  expect(within(there!).getByRole('link', { name: 'Open the Z!mmer' }).getAttribute('href')).toContain(roomId)
  expect(gone!.textContent).toContain('Buy my lamp')
  expect(gone!.textContent).toContain('It cannot be found any more')
  expect(erased!.textContent).toContain('The text was erased, or the copy is damaged.')
  expect(screen.queryByRole('button', { name: /^Erase/ })).toBeNull()
  const [close] = screen.getAllByRole('button', { name: 'Close report of an aside of Ben Okafor' })
  fireEvent.click(close!)
  const dialog = within(await screen.findByRole('dialog', { name: 'Close this report' }))
  expect(dialog.getByText(/^An aside of Ben Okafor\. The audit log/)).toBeTruthy()
  await waitFor(() => expect(dialog.getByLabelText<HTMLTextAreaElement>(/^Note/).readOnly).toBe(false))
  fireEvent.click(dialog.getByRole('radio', { name: /^Erase it for good/ }))
  fireEvent.click(dialog.getByRole('checkbox', { name: 'I know that nobody can bring it back' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Close report' }))
  expect(await screen.findByText('The report is closed.')).toBeTruthy()
  expect(server.inputs(closeAbuseReport)).toEqual([{ outcome: 'removed', note: '', removal: 'erase' }])
})
