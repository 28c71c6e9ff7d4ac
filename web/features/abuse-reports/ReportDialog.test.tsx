import 'fake-indexeddb/auto'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { login } from '#contract/account/endpoints.ts'
import { reportAbuse } from '#contract/abuse-reports/endpoints.ts'
import { forgetDraftsOf } from '#web/lib/editor/drafts.ts'
import { show, signInAgain, startTestPage } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { type Reported, useReport } from './index.ts'

const server = startTestPage()
const reportId = '01900000-0000-7000-8000-000000000009'
const post: Reported = { kind: 'post', id: '01900000-0000-7000-8000-000000000001' }

beforeEach(async () => {
  await forgetDraftsOf(ana.id)
  server.on(reportAbuse, { id: reportId, isNew: true })
})

function Reporting({ of }: { of: Reported }) {
  const { report, dialog } = useReport()
  return (
    <>
      <button type="button" onClick={() => report(of)}>
        Report
      </button>
      {dialog}
    </>
  )
}

async function openDialog(of: Reported = post) {
  fireEvent.click(screen.getByRole('button', { name: 'Report' }))
  const dialog = within(await screen.findByRole('dialog', { name: `Report this ${of.kind}` }))
  const field = () => dialog.getByLabelText<HTMLTextAreaElement>('What should admins and moderators know?')
  await waitFor(() => expect(field().readOnly).toBe(false))
  return {
    ...dialog,
    field,
    choose: (name: string) => fireEvent.click(dialog.getByRole('radio', { name })),
    write: (text: string) => fireEvent.change(field(), { target: { value: text } }),
    send: () => fireEvent.click(dialog.getByRole('button', { name: 'Send report' })),
  }
}

const showFor = (of: Reported = post) => show(<Reporting of={of} />, { user: ana })

test.each<[Reported, string]>([
  [
    post,
    'Admins and moderators get a copy of this post, what you write here and your name. The author is not told.',
  ],
  [
    { kind: 'message', id: post.id },
    'Admins and moderators get a copy of this message, what you write here and your name. The author is not told.',
  ],
  [
    { kind: 'person', id: 'h3m9w5zt8v' },
    'Admins and moderators get the name and introduction of this person, what you write here and your name. The person is not told.',
  ],
])('a person who reports %j reads what will be sent [PPL-06]', async (of, sentence) => {
  showFor(of)
  const dialog = await openDialog(of)
  expect(dialog.getByText(sentence)).toBeTruthy()
  expect(server.calls(reportAbuse)).toEqual([])
})

test('a person chooses what is wrong, says why, and reads that the admins have the report [PPL-06]', async () => {
  showFor()
  const dialog = await openDialog()
  dialog.choose('Spam or fraud')
  dialog.write('The same in ten rooms.')
  dialog.send()
  expect(await screen.findByText('Thank you. The admins and moderators have your report.')).toBeTruthy()
  expect(server.inputs(reportAbuse)).toEqual([
    { kind: 'post', targetId: post.id, category: 'spam', reason: 'The same in ten rooms.' },
  ])
  expect(screen.queryByRole('dialog')).toBeNull()
  // A later report begins anew.
  expect((await openDialog()).field().value).toBe('')
})

test('a person who has chosen or written nothing reads what is missing, and nothing is sent [PPL-06]', async () => {
  showFor()
  const dialog = await openDialog()
  dialog.send()
  expect(await dialog.findByText('Please choose what is wrong.')).toBeTruthy()
  expect(dialog.getByText('Please say what is wrong.')).toBeTruthy()
  dialog.choose('Hate')
  dialog.write(' \n ')
  dialog.send()
  expect(dialog.queryByText('Please choose what is wrong.')).toBeNull()
  expect(dialog.getByText('Please say what is wrong.')).toBeTruthy()
  expect(server.calls(reportAbuse)).toEqual([])
})

test('a person who has written too much reads by how much, and cannot send [PPL-06]', async () => {
  showFor()
  const dialog = await openDialog()
  dialog.choose('Hate')
  dialog.write('x'.repeat(1002))
  expect(dialog.getByText('2 characters too long')).toBeTruthy()
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Send report' }).disabled).toBe(true)
})

test('a report that fails keeps what was typed, also when the dialog is closed and opened again [PPL-06 R22]', async () => {
  showFor()
  const dialog = await openDialog()
  dialog.choose('Something else')
  dialog.write('This is about my sister.')
  server.refuse(reportAbuse, 'NothingToReport')
  dialog.send()
  expect(await dialog.findByText('This no longer exists, or you cannot see it.')).toBeTruthy()
  expect(dialog.field().value).toBe('This is about my sister.')
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const again = await openDialog()
  await waitFor(() => expect(again.field().value).toBe('This is about my sister.'))
  server.on(reportAbuse, { id: reportId, isNew: true })
  again.choose('Something else')
  again.send()
  expect(await screen.findByText('Thank you. The admins and moderators have your report.')).toBeTruthy()
})

test('a person who reports the same thing again reads that the admins have the first report, and keeps the words [PPL-06 R22]', async () => {
  showFor()
  const dialog = await openDialog()
  dialog.choose('Hate')
  dialog.write('And he did it again.')
  server.on(reportAbuse, { id: reportId, isNew: false })
  dialog.send()
  expect(
    await dialog.findByText(
      'You have reported this already. The admins and moderators have your first report.',
    ),
  ).toBeTruthy()
  expect(dialog.field().value).toBe('And he did it again.')
  expect(server.calls(reportAbuse)).toHaveLength(1)
  expect(screen.queryByText('Thank you. The admins and moderators have your report.')).toBeNull()
})

test('a person whose session has ended signs in again in the dialog, and the report is sent as it was typed [PPL-06 R22]', async () => {
  server.refuse(reportAbuse, 'SignInRequired')
  server.on(login, ana)
  showFor()
  const dialog = await openDialog()
  dialog.choose('Hate')
  dialog.write('This is about my sister.')
  dialog.send()
  await dialog.findByRole('button', { name: 'Sign in again' })
  expect(dialog.field().value).toBe('This is about my sister.')
  server.on(reportAbuse, { id: reportId, isNew: true })
  await signInAgain()
  expect(await screen.findByText('Thank you. The admins and moderators have your report.')).toBeTruthy()
  const input = { kind: 'post', targetId: post.id, category: 'hate', reason: 'This is about my sister.' }
  expect(server.inputs(reportAbuse)).toEqual([input, input])
})
