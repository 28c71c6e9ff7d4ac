import 'fake-indexeddb/auto'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { closeAbuseReport } from '#contract/abuse-reports/endpoints.ts'
import { login } from '#contract/account/endpoints.ts'
import type { AbuseReport } from '#contract/abuse-reports/report.ts'
import { aReport } from '#web/features/abuse-reports/testing.tsx'
import { forgetDraftsOf } from '#web/lib/editor/drafts.ts'
import { show, signInAgain, startTestPage } from '#web/testing/page.tsx'
import { admin } from '#web/testing/people.ts'
import { CloseReportDialog } from './CloseReportDialog.tsx'

const server = startTestPage()
const roomId = '01900000-0000-7000-8000-000000000077'
const dayMs = 24 * 60 * 60 * 1000
let isDone = false
let outdatedCount = 0

beforeEach(async () => {
  await forgetDraftsOf(admin.id)
  isDone = false
  outdatedCount = 0
  server.on(closeAbuseReport, ({ params }) => ({ ...aReport(), id: params.id, status: 'closed' as const }))
})

async function open(report: AbuseReport) {
  const view = show(
    <CloseReportDialog report={report} onOutdated={() => outdatedCount++} onDone={() => (isDone = true)} />,
    { user: admin },
  )
  const element = await screen.findByRole('dialog', { name: 'Close this report' })
  const dialog = within(element)
  await waitFor(() => expect(dialog.getByLabelText<HTMLTextAreaElement>(/^Note/).readOnly).toBe(false))
  return {
    ...dialog,
    element,
    view,
    choose: (name: RegExp | string) => fireEvent.click(dialog.getByRole('radio', { name })),
    tick: (name: RegExp | string) => fireEvent.click(dialog.getByRole('checkbox', { name })),
    write: (label: RegExp, text: string) =>
      fireEvent.change(dialog.getByLabelText(label), { target: { value: text } }),
    button: dialog.getByRole<HTMLButtonElement>('button', { name: 'Close report' }),
    send: () => fireEvent.click(dialog.getByRole('button', { name: 'Close report' })),
    sent: () => server.inputs(closeAbuseReport),
  }
}

const radiosIn = ({ element }: { element: HTMLElement }) =>
  within(element)
    .queryAllByRole('radio')
    .map((radio) => radio.parentElement!.querySelector('span')!.firstChild!.textContent)
const outcomes = ['Removed', 'Kept as it is', 'Author warned']

test.each<[string, Partial<AbuseReport>, string[], string]>([
  ['post', {}, ['Leave it as it is', 'Hide it', 'Erase it for good'], 'You can show it again'],
  [
    'post that its author took back',
    { exists: false },
    ['Leave it as it is', 'Erase it for good'],
    'It is hidden, or its author has taken it back.',
  ],
  ['passage', { kind: 'passage', roomId }, ['Leave it as it is', 'Erase it for good'], 'a mark stays'],
  [
    'passage that is gone',
    { kind: 'passage', exists: false },
    [],
    'The passage is gone already. There is nothing to remove.',
  ],
  [
    'aside',
    { kind: 'aside', roomId },
    ['Leave it as it is', 'Erase it for good'],
    'It is gone from the talk at the table',
  ],
  [
    'aside that is gone',
    { kind: 'aside', exists: false },
    [],
    'The aside is gone already. There is nothing to remove.',
  ],
  ['message', { kind: 'message' }, [], 'A message stays with the two friends: no admin can remove it.'],
  ['person', { kind: 'person' }, [], 'All sessions end at once'],
])('an admin is offered what fits a %s [INST-15]', async (_what, report, removals, sentence) => {
  const dialog = await open(aReport(report))
  expect(radiosIn(dialog)).toEqual([...removals, ...outcomes])
  expect(dialog.element.textContent).toContain(sentence)
  const who = report.kind === 'person' ? 'The person' : 'The author'
  expect(within(dialog.getByRole('group', { name: who })).getAllByRole('checkbox')).toHaveLength(2)
})

test('an admin hides a post and warns its author, and reads before what the reporter will read [INST-15]', async () => {
  const dialog = await open(aReport())
  expect(dialog.queryByText(/^The reporter reads/)).toBeNull()
  dialog.choose(/^Hide it/)
  dialog.tick('Warn Ben Okafor')
  expect(dialog.getByText(/^The reporter reads/).textContent).toBe(
    'The reporter reads: “An admin or moderator has hidden the post and warned the author.”',
  )
  expect(radiosIn(dialog)).not.toContain('Kept as it is')
  dialog.send()
  expect(await dialog.findByText('Please write what the person should read.')).toBeTruthy()
  expect(dialog.sent()).toEqual([])
  dialog.write(/^What the person reads/, 'Please be kind.')
  dialog.send()
  await waitFor(() => expect(isDone).toBe(true))
  expect(dialog.sent()).toEqual([
    { outcome: 'removed', note: '', removal: 'hide', warning: 'Please be kind.' },
  ])
})

test('an admin erases a passage only after a second step [INST-15 INST-13]', async () => {
  const dialog = await open(aReport({ kind: 'passage', roomId }))
  dialog.choose(/^Erase it for good/)
  expect(dialog.button.disabled).toBe(true)
  fireEvent.submit(dialog.element.querySelector('form')!)
  expect(dialog.sent()).toEqual([])
  dialog.tick('I know that nobody can bring it back')
  expect(dialog.button.disabled).toBe(false)
  dialog.send()
  await waitFor(() => expect(isDone).toBe(true))
  expect(dialog.sent()).toEqual([{ outcome: 'removed', note: '', removal: 'erase' }])
})

test('an admin suspends a reported person with a reason and an end [INST-15 INST-04]', async () => {
  const dialog = await open(aReport({ kind: 'person' }))
  dialog.tick('Suspend Ben Okafor')
  dialog.choose('Until a day')
  dialog.send()
  expect(await dialog.findByText('Please write a reason.')).toBeTruthy()
  expect(dialog.getByText('Please choose a day.')).toBeTruthy()
  expect(dialog.sent()).toEqual([])
  dialog.choose('30 days')
  dialog.write(/^Reason/, 'You insulted a neighbour.')
  dialog.tick('Hide what the person has published')
  dialog.send()
  await waitFor(() => expect(isDone).toBe(true))
  const [input] = dialog.sent()
  expect(input).toMatchObject({
    outcome: 'warned',
    suspension: { reason: 'You insulted a neighbour.', hidesTexts: true },
  })
  const days = (Date.parse(input!.suspension!.until!) - Date.now()) / dayMs
  expect(Math.abs(days - 30)).toBeLessThan(0.1)
})

test('nobody can be warned or suspended where the author has no account [INST-15]', async () => {
  const { copy } = aReport()
  const dialog = await open(aReport({ copy: { ...copy, authorId: null } }))
  expect(dialog.getByText('The author has no account, so nobody can be warned or suspended.')).toBeTruthy()
  expect(dialog.queryAllByRole('checkbox')).toEqual([])
})

test('a refused closing says why, and keeps what was typed, also when the dialog is opened again [INST-15 R22]', async () => {
  const report = aReport()
  const dialog = await open(report)
  dialog.choose(/^Hide it/)
  dialog.tick('Warn Ben Okafor')
  dialog.write(/^What the person reads/, 'Please be kind.')
  dialog.write(/^Note/, 'Names a neighbour.')
  server.refuse(closeAbuseReport, 'ReportedThingGone')
  dialog.send()
  expect(
    await dialog.findByText(
      'What was reported is gone already. Nothing was changed, and the report is still open.',
    ),
  ).toBeTruthy()
  await waitFor(() => expect(outdatedCount).toBe(1))
  expect(isDone).toBe(false)
  dialog.view.unmount()
  const again = await open(report)
  expect(again.getByLabelText<HTMLTextAreaElement>(/^Note/).value).toBe('Names a neighbour.')
  again.tick('Warn Ben Okafor')
  expect(again.getByLabelText<HTMLTextAreaElement>(/^What the person reads/).value).toBe('Please be kind.')
})

test('an admin whose session has ended signs in again in the dialog, and the report is closed [INST-15]', async () => {
  server.refuse(closeAbuseReport, 'SignInRequired')
  server.on(login, admin)
  const dialog = await open(aReport())
  dialog.choose(/^Hide it/)
  dialog.send()
  await dialog.findByRole('button', { name: 'Sign in again' })
  server.on(closeAbuseReport, aReport({ status: 'closed' }))
  await signInAgain()
  await waitFor(() => expect(isDone).toBe(true))
  const input = { outcome: 'removed', note: '', removal: 'hide' }
  expect(dialog.sent()).toEqual([input, input])
})

test('an admin who writes too much reads by how much, and cannot close [INST-15]', async () => {
  const dialog = await open(aReport())
  dialog.tick('Warn Ben Okafor')
  dialog.write(/^What the person reads/, 'x'.repeat(1002))
  expect(dialog.getByText('2 characters too long')).toBeTruthy()
  expect(dialog.button.disabled).toBe(true)
  dialog.tick('Warn Ben Okafor')
  expect(dialog.button.disabled).toBe(false)
})
