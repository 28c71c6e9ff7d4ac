import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { unzipSync } from 'fflate'
import { beforeEach, expect, test, vi } from 'vitest'
import { getMe, login } from '#contract/account/endpoints.ts'
import { getSettings, getWritingSample } from '#contract/account/settings/endpoints.ts'
import type { Manifest } from '#contract/archive/manifest.ts'
import { listBookmarks } from '#contract/bookmarks/endpoints.ts'
import { getCalendar } from '#contract/calendar/endpoints.ts'
import { getDiary } from '#contract/diary/endpoints.ts'
import { getDocument, listDocuments } from '#contract/documents/endpoints.ts'
import { getDraft, listDrafts } from '#contract/drafts/endpoints.ts'
import { listOwnTexts } from '#contract/feed/own/endpoints.ts'
import { listFollows } from '#contract/follows/endpoints.ts'
import { listBlockedPeople, listFriends } from '#contract/friends/endpoints.ts'
import { listNotifications } from '#contract/inbox/endpoints.ts'
import { listOwnStories } from '#contract/rooms/endpoints.ts'
import { anEntry } from '#web/testing/diary.ts'
import { press, show, startTestPage } from '#web/testing/page.tsx'
import { ana, noSettings } from '#web/testing/people.ts'
import { Export } from './Export.tsx'
import { YourWords } from './YourWords.tsx'

const server = startTestPage()
const saved: { name: string; blob: Blob }[] = []

beforeEach(() => {
  saved.length = 0
  const blobs = new Map<string, Blob>()
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    const address = `blob:${blobs.size}`
    blobs.set(address, blob as Blob)
    return address
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, blob: blobs.get(this.href)! })
  })
  for (const list of [
    getDiary,
    getCalendar,
    listOwnTexts,
    listDrafts,
    listDocuments,
    listOwnStories,
    listFriends,
    listBlockedPeople,
    listNotifications,
    listBookmarks,
    listFollows,
  ])
    server.on(list, [])
  server.on(getDiary, [anEntry('2025-06-09', 'Monday'), anEntry('2025-06-10', 'Tuesday')])
  server.on(getSettings, noSettings)
  server.on(getWritingSample, { writingSample: null })
  server.on(getMe, ana)
})

const start = () => {
  show(<YourWords user={ana} />, { user: ana })
  press('Export everything')
}
const isDone = () => screen.findByText(/^Exported\. The file has \d+ files\.$/)

async function filesOf({ blob }: { blob: Blob }) {
  const files = unzipSync(new Uint8Array(await blob.arrayBuffer()))
  const textOf = (path: string) => new TextDecoder().decode(files[path])
  return { paths: Object.keys(files), textOf, manifest: JSON.parse(textOf('manifest.json')) as Manifest }
}

/** Answers the next request of a path instead of the server, once. */
function answerOnce(path: string, answer: () => Response | Promise<Response>) {
  const { fetch } = globalThis
  let isOver = false
  vi.stubGlobal('fetch', (address: string, init?: RequestInit) => {
    if (isOver || !address.startsWith(path)) return fetch(address, init)
    isOver = true
    return answer()
  })
}
const refused = (status: number, code: string, headers: Record<string, string> = {}) =>
  Response.json({ code, error: 'A sentence.' }, { status, headers })

test('a person saves one ZIP with everything of theirs, and with what this browser alone has [OWN-06]', async () => {
  const comment = { id: '1', author: 'Guest User', content: 'Lovely', timestamp: 'Jun 10', initials: 'GU' }
  localStorage.setItem('zimmer-comments', JSON.stringify({ p1: [comment] }))
  const position = { id: 'p1', offset: 3, quote: 'It rained' }
  localStorage.setItem(`reading-positions:${ana.id}`, JSON.stringify([position]))
  localStorage.setItem('reading-positions:somebody', JSON.stringify([{ ...position, id: 'p2' }]))
  start()
  await isDone()
  expect(saved.map(({ name }) => name)).toEqual([expect.stringMatching(/^zimmer-\d{4}-\d\d-\d\d\.zip$/)])
  const { paths, textOf, manifest } = await filesOf(saved[0]!)
  expect(paths).toEqual([...manifest.files.map(({ path }) => path), 'manifest.json'])
  expect(manifest.person).toEqual({ id: ana.id, name: 'Ana Lima', email: 'ana@example.org' })
  expect(textOf('diary/2025-06-10.md')).toMatch(/\n---\nTuesday$/)
  expect(JSON.parse(textOf('comments.json'))).toEqual({ p1: [comment] })
  expect(JSON.parse(textOf('reading-positions.json'))).toEqual([position])
  expect(server.changes).toEqual([])
})

test('a suspended person saves the same ZIP by a token, and reads so when the token has ended [INST-04 OWN-06 S62]', async () => {
  const sent: string[] = []
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (address: string, init?: RequestInit) => {
    sent.push(new Headers(init?.headers).get('authorization') ?? `${address} without a token`)
    return fetch(address, init)
  })
  show(<Export by={{ token: 'zme_token' }} />, { user: null })
  sent.length = 0
  press('Export everything')
  await isDone()
  expect(new Set(sent)).toEqual(new Set(['Bearer zme_token']))
  const { manifest, textOf } = await filesOf(saved[0]!)
  expect(manifest.person).toEqual({ id: ana.id, name: 'Ana Lima', email: 'ana@example.org' })
  expect(textOf('diary/2025-06-10.md')).toMatch(/Tuesday$/)
  server.refuse(getMe, 'TokenRefused')
  press('Export everything')
  expect(await screen.findByText(/has ended\. No file was saved\.$/)).toBeTruthy()
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('an archive of a browser without comments has no file of them [OWN-06]', async () => {
  start()
  await isDone()
  const { paths } = await filesOf(saved[0]!)
  expect(paths).not.toContain('comments.json')
  expect(paths).not.toContain('reading-positions.json')
})

test('a person reads which part is being read and how many files it has, and cancels without a file [OWN-06]', async () => {
  server.hold(getCalendar)
  start()
  const bar = await screen.findByRole('progressbar', { name: 'Calendar: 0 files' })
  expect(bar.getAttribute('value')).toBe('1')
  fireEvent.click(
    within(screen.getByRole('region', { name: 'Export' })).getByRole('button', { name: 'Cancel' }),
  )
  expect(await screen.findByRole('button', { name: 'Export everything' })).toBeTruthy()
  expect(screen.queryByRole('progressbar')).toBeNull()
  server.on(getCalendar, [])
  press('Export everything')
  await isDone()
  expect(saved).toHaveLength(1)
})

test('an export leaves out a damaged document and a damaged draft, and has everything else [OWN-06 S44]', async () => {
  const id = '01900000-0000-7000-8000-000000000001'
  const at = '2025-06-10T10:00:00.000Z'
  const listed = { id, source: 'Ghost', title: 'The well', createdAt: null, addedAt: at }
  server.on(listDocuments, [{ ...listed, wordCount: 3 }])
  server.on(listDrafts, [{ id, beginning: 'The well', wordCount: 3, updatedAt: at, postId: null }])
  server.refuse(getDocument, 'DocumentDamaged')
  server.refuse(getDraft, 'DraftDamaged')
  start()
  await isDone()
  const { paths } = await filesOf(saved[0]!)
  expect(paths).toContain('diary/2025-06-10.md')
  expect(paths.filter((path) => path.includes(id))).toEqual([])
})

test('an export waits as long as the server asks, and says so [OWN-06]', async () => {
  answerOnce('/api/calendar', () => refused(429, 'TooManyRequests', { 'retry-after': '2' }))
  start()
  expect(
    await screen.findByText('The server asks for a pause. The export goes on in 2 seconds.'),
  ).toBeTruthy()
  await isDone()
  expect(screen.queryByText(/asks for a pause/)).toBeNull()
  expect((await filesOf(saved[0]!)).paths).toContain('friends.json')
})

test('an export asks to sign in when the session has ended, and then goes on [OWN-06]', async () => {
  answerOnce('/api/calendar', () => refused(401, 'SignInRequired'))
  server.on(login, ana)
  start()
  const dialog = within(await screen.findByRole('dialog', { name: 'Please sign in again' }))
  fireEvent.change(dialog.getByLabelText('Passcode'), { target: { value: 'secret1' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Continue' }))
  await isDone()
  expect((await filesOf(saved[0]!)).textOf('diary/2025-06-09.md')).toMatch(/Monday$/)
})

test('a person who does not sign in again gets no file [OWN-06]', async () => {
  server.refuse(getCalendar, 'SignInRequired')
  start()
  const dialog = await screen.findByRole('dialog', { name: 'Please sign in again' })
  fireEvent.keyDown(dialog, { key: 'Escape' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.getByRole('button', { name: 'Export everything' })).toBeTruthy()
  expect(saved).toEqual([])
})

test('an export reads on after an answer that broke off [OWN-06]', async () => {
  const broken = new ReadableStream({ start: (stream) => stream.error(new TypeError('network error')) })
  answerOnce('/api/calendar', () => new Response(broken))
  start()
  await isDone()
  expect(saved).toHaveLength(1)
})

test.each([
  [
    'the diary is locked',
    () => server.refuse(getDiary, 'DiaryLocked'),
    'The diary is locked: this server was started without the key it was encrypted with. No file was saved.',
  ],
  [
    'somebody else has signed in meanwhile',
    () => server.on(getMe, { ...ana, id: 'zzzzzzzzzz' }),
    'The export failed. Check the connection and the space on this device, and try again. No file was saved.',
  ],
])('an export that fails because %s says so and saves nothing [OWN-06]', async (_why, prepare, sentence) => {
  prepare()
  start()
  expect(await screen.findByText(sentence)).toBeTruthy()
  expect(saved).toEqual([])
  expect(screen.getByRole('button', { name: 'Export everything' })).toBeTruthy()
})

/** A browser that asks where to save, with what became of the file. */
function startWithPicker() {
  const file = { chunks: 0, isClosed: false, isAborted: false, isRemoved: false }
  const writable = () =>
    new WritableStream({
      write: () => void file.chunks++,
      close: () => void (file.isClosed = true),
      abort: () => void (file.isAborted = true),
    })
  const handle = {
    createWritable: async () => writable(),
    getFile: async () => new File([], 'zimmer.zip'),
    remove: async () => void (file.isRemoved = true),
  }
  const picker = vi.fn(async (_options: object) => handle)
  vi.stubGlobal('showSaveFilePicker', picker)
  return { file, picker }
}

test('a browser that can ask where to save writes the file there, piece by piece [OWN-06]', async () => {
  const { file, picker } = startWithPicker()
  start()
  await isDone()
  expect(picker).toHaveBeenCalledWith({ suggestedName: expect.stringMatching(/^zimmer-.*\.zip$/) })
  expect(file).toMatchObject({ isClosed: true, isAborted: false, isRemoved: false })
  expect(file.chunks).toBeGreaterThan(10)
  expect(saved).toEqual([])
})

test('nothing is left of a file whose export failed [OWN-06]', async () => {
  const { file } = startWithPicker()
  server.refuse(getCalendar, 'DiaryLocked')
  start()
  await screen.findByText(/No file was saved\.$/)
  expect(file).toMatchObject({ isClosed: false, isAborted: true, isRemoved: true })
})

test('a person who chooses no place exports nothing [OWN-06]', async () => {
  const { picker } = startWithPicker()
  picker.mockRejectedValue(new DOMException('The user aborted a request.', 'AbortError'))
  start()
  await waitFor(() => expect(picker).toHaveBeenCalled())
  expect(screen.getByRole('button', { name: 'Export everything' })).toBeTruthy()
  expect(server.requests.filter((line) => line.includes('/api/diary'))).toEqual([])
})
