import { act, fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { User } from '#contract/account/user.ts'
import { getCurrentIssue, uploadIssue } from '#contract/magazine/endpoints.ts'
import { issueMaxBytes } from '#contract/magazine/issue.ts'
import { startFakeUploads } from '#web/testing/fake-upload.ts'
import { press, show, startTestPage } from '#web/testing/page.tsx'
import { admin, ana, guest } from '#web/testing/people.ts'
import { LiteraryMagazine } from './LiteraryMagazine.tsx'

// Import the module now, so that no test waits for it.
await import('./IssueUpload.tsx')

const server = startTestPage()
const url = '/uploads/magazine/01975ad0-0000-7000-8000-000000000001.pdf'
const next = url.replace('0001.pdf', '0002.pdf')
const link = () => screen.findByRole('link', { name: 'Download the current issue (PDF)' })
const pdf = (name = 'Issue 2.pdf', content = '%PDF-1.7 …', type = 'application/pdf') =>
  new File([content], name, { type })

async function open(user: User | null, issue: string | null = null) {
  server.on(getCurrentIssue, { url: issue })
  show(<LiteraryMagazine />, { user })
  await screen.findByRole('heading', { name: 'Literary Magazine' })
}
async function openUpload(issue: string | null = null) {
  const sent = startFakeUploads()
  await open(admin, issue)
  const field = await screen.findByLabelText<HTMLInputElement>('New issue')
  const choose = (...files: File[]) => fireEvent.change(field, { target: { files } })
  return { sent, field, choose }
}

test.each([
  ['a visitor', null],
  ['a guest', guest],
  ['a registered person', ana],
])('%s finds the current issue in the settings and no upload [SET-08 UPL-07]', async (_who, user) => {
  await open(user, url)
  expect((await link()).getAttribute('href')).toBe(url)
  expect(screen.queryByLabelText('New issue')).toBeNull()
})

test('before the first issue everybody reads “No issue yet” [SET-08 UPL-07]', async () => {
  await open(null)
  expect(await screen.findByText('No issue yet')).toBeTruthy()
  expect(screen.queryByRole('link')).toBeNull()
})

test('when the current issue cannot be loaded, a line says so, and another try shows it [SET-08]', async () => {
  server.disconnect(getCurrentIssue)
  show(<LiteraryMagazine />, { user: null })
  await screen.findByText('The current issue could not be loaded.', undefined, { timeout: 20_000 })
  server.on(getCurrentIssue, { url })
  press('Try again')
  expect(await link()).toBeTruthy()
}, 30_000)

test('an admin uploads a PDF, sees how much is sent, and everybody gets the new issue [SET-09 UPL-03 UPL-05 NOTE-12]', async () => {
  const { sent, choose } = await openUpload(url)
  let answer = (_issue: { url: string }) => {}
  server.on(uploadIssue, () => new Promise((resolve) => (answer = resolve)))
  choose(pdf())
  press('Upload PDF')
  const progress = await screen.findByRole<HTMLProgressElement>('progressbar', { name: 'Upload' })
  expect(sent.map(({ file, field }) => [field, file.name])).toEqual([['litmag', 'Issue 2.pdf']])
  act(() => sent[0]!.progress(30, 120))
  expect(progress.value).toBe(0.25)
  // A second press does not send it again.
  press('Upload PDF')
  await act(async () => answer({ url: next }))
  expect(await screen.findByText('Litmag uploaded successfully!')).toBeTruthy()
  expect((await link()).getAttribute('href')).toBe(next)
  expect(screen.queryByRole('progressbar')).toBeNull()
  expect(server.calls(uploadIssue)).toHaveLength(1)
})

test.each([
  ['no file', []],
  ['a picture', [pdf('night.png', '\x89PNG', 'image/png')]],
  ['a picture that is named as a PDF', [pdf('night.pdf', '\x89PNG')]],
  ['a PDF that is named as a page', [pdf('night.html')]],
])(
  'an admin who chooses %s reads “Please select a PDF file”, and nothing is sent [UPL-01 UPL-02]',
  async (_what, files) => {
    const { sent, field, choose } = await openUpload()
    choose(...files)
    press('Upload PDF')
    expect(await screen.findAllByText('Please select a PDF file')).toHaveLength(2)
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(field)
    expect(sent).toEqual([])
  },
)

test('an admin who chooses a PDF of over 20 MB reads so, and nothing is sent [UPL-01]', async () => {
  const { sent, choose } = await openUpload()
  const file = pdf()
  Object.defineProperty(file, 'size', { value: issueMaxBytes + 1 })
  choose(file)
  press('Upload PDF')
  expect(await screen.findAllByText('This file is larger than 20 MB.')).toHaveLength(2)
  expect(sent).toEqual([])
})

test('a PDF whose type the system does not know is uploaded as a PDF [UPL-01]', async () => {
  const { sent, choose } = await openUpload()
  server.on(uploadIssue, { url: next })
  choose(pdf('ISSUE.PDF', '%PDF-1.4', ''))
  press('Upload PDF')
  await screen.findByText('Litmag uploaded successfully!')
  expect(sent.map(({ file }) => file.type)).toEqual(['application/pdf'])
})

test.each([
  ['the session has ended', () => server.refuse(uploadIssue, 'SignInRequired')],
  ['the server cannot be reached', () => server.disconnect(uploadIssue)],
  ['a proxy answers', () => server.answerForeign(uploadIssue, 502, '<h1>Bad gateway</h1>')],
])(
  'when %s, the admin reads “Failed to upload litmag”; the file stays chosen, and another press sends it as the same action [UPL-06 NOTE-12 R7 R22]',
  async (_what, fail) => {
    const { sent, choose } = await openUpload(url)
    fail()
    choose(pdf())
    press('Upload PDF')
    const toast = await screen.findByText('Failed to upload litmag')
    expect(toast.parentElement!.textContent).toContain('The file is still chosen.')
    expect((await link()).getAttribute('href')).toBe(url)
    server.on(uploadIssue, { url: next })
    press('Upload PDF')
    await screen.findByText('Litmag uploaded successfully!')
    expect(sent).toHaveLength(2)
    const keys = server.calls(uploadIssue).map(({ idempotencyKey }) => idempotencyKey)
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toBeTruthy()
  },
)

test('an admin cancels an upload, and can upload again at once [SET-09]', async () => {
  const { sent, field, choose } = await openUpload(url)
  server.hold(uploadIssue)
  choose(pdf())
  press('Upload PDF')
  await screen.findByRole('progressbar')
  press('Cancel upload')
  await screen.findByRole('button', { name: 'Upload PDF', busy: false })
  expect(screen.queryByRole('progressbar')).toBeNull()
  expect(document.activeElement).toBe(field)
  expect(within(document.body).queryByText('Failed to upload litmag')).toBeNull()
  server.on(uploadIssue, { url: next })
  press('Upload PDF')
  await screen.findByText('Litmag uploaded successfully!')
  expect(sent).toHaveLength(2)
})
