import { sha256 } from '@noble/hashes/sha2'
import { bytesToHex } from '@noble/hashes/utils'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { zipSync } from 'fflate'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { login } from '#contract/account/endpoints.ts'
import { archiveFormat, archiveVersion, manifestPath } from '#contract/archive/layout.ts'
import { getCalendar, saveCalendarNote } from '#contract/calendar/endpoints.ts'
import { getDiary, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { listDocuments } from '#contract/documents/endpoints.ts'
import { createDraft, listDrafts } from '#contract/drafts/endpoints.ts'
import type { DiaryEntry } from '#contract/diary/entry.ts'
import { useEndpoint } from '#web/lib/api.ts'
import { anEntry } from '#web/testing/diary.ts'
import { button, press, show, startTestPage } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { Import } from './Import.tsx'
import { ImportRun } from './import/import-run.ts'
import type { ToImportWorker } from './import/import-state.ts'

const server = startTestPage()

/** The workers that the page has started and not ended. */
const running = new Set<WorkerHere>()
let isMissing = false

/** Runs the code of `import-worker.ts` in the thread of the test. Messages are copied, as between threads. */
class WorkerHere extends EventTarget {
  readonly #run = new ImportRun((state) => {
    if (running.has(this)) this.dispatchEvent(new MessageEvent('message', { data: state }))
  })

  constructor() {
    super()
    running.add(this)
    if (isMissing) queueMicrotask(() => this.dispatchEvent(new Event('error')))
  }

  postMessage(message: ToImportWorker) {
    if (!isMissing) void this.#run.take(message)
  }

  terminate() {
    running.delete(this)
  }
}

let days: Map<string, DiaryEntry>
let saves = 0
let hasSession: boolean

/** The import of the tab outlives the page of a test, and other files of tests run in the same window. */
afterEach(() => {
  cleanup()
  open()
  const end = screen.queryByRole('button', { name: /^(Close|Cancel)$/ })
  if (end !== null) fireEvent.click(end)
  cleanup()
})

beforeEach(() => {
  running.clear()
  isMissing = false
  hasSession = true
  days = new Map()
  vi.stubGlobal('Worker', WorkerHere)
  server.on(getDiary, () => [...days.values()])
  server.on(saveDiaryEntry, ({ input: { date, content, base }, fail }) => {
    if (!hasSession) fail('SignInRequired')
    const current = days.get(date)
    if ((current?.updated_at ?? null) !== base) fail('DiaryConflict', { current: current! })
    const updated_at = new Date(Date.UTC(2025, 5, 10, 12, 0, 0, ++saves)).toISOString()
    const entry = { entry_date: date, content, updated_at }
    days.set(date, entry)
    return entry
  })
})

const aFile = (name: string, text: string) => new File([text], name)
const open = () => show(<Import personId={ana.id} />, { user: ana })
const choose = (...files: File[]) =>
  fireEvent.change(screen.getByLabelText('Choose files'), { target: { files } })
const count = (name: string) =>
  screen.getByText(name, { selector: 'dt' }).parentElement!.querySelector('dd')!.textContent
const texts = () => [...days.values()].map(({ entry_date, content }) => `${entry_date} ${content}`).toSorted()
const until = (text: string | RegExp) => screen.findByText(text)

const twoDays = [aFile('2019-06-10.md', 'Rain'), aFile('2019-06-11.md', 'Sun')]

test('a writer sees exactly what an import would do before anything is saved, and then imports it; again nothing changes [OWN-10 OWN-13 OWN-18]', async () => {
  days.set('2019-06-11', anEntry('2019-06-11', 'Sun'))
  open()
  choose(...twoDays, aFile('cover.png', 'A picture'))
  await until(/^It comes from text files/)
  expect(['New', 'Same', 'Beside other text', 'Not understood', 'Skipped'].map(count)).toEqual([
    '1',
    '1',
    '0',
    '0',
    '1',
  ])
  expect(screen.getByText(/An import writes 1 day of your diary\./)).toBeTruthy()
  expect(within(screen.getByRole('list', { name: 'What to know' })).getByText('cover.png')).toBeTruthy()
  expect(server.changes).toEqual([])
  press('Import')
  await until('The import is over. It has written 1 day of your diary.')
  expect(texts()).toEqual(['2019-06-10 Rain', '2019-06-11 Sun'])
  expect(screen.getByRole('link', { name: 'Your diary' }).getAttribute('href')).toBe('/diary')
  press('Close')
  choose(...twoDays)
  await until(/There is nothing to import/)
  expect(screen.queryByRole('button', { name: 'Import' })).toBeNull()
})

test('a day that has other text, also one that another device saves after the preview, keeps both [OWN-11]', async () => {
  days.set('2019-06-10', anEntry('2019-06-10', 'Mine'))
  open()
  choose(...twoDays)
  await until(/^It comes from text files/)
  expect([count('New'), count('Beside other text')]).toEqual(['1', '1'])
  days.set('2019-06-11', anEntry('2019-06-11', 'Of my phone'))
  press('Import')
  await until(/^The import is over/)
  expect(texts()).toEqual([
    '2019-06-10 Mine\n\nImported from text files\n\nRain',
    '2019-06-11 Of my phone\n\nImported from text files\n\nSun',
  ])
  expect([count('New'), count('Beside other text')]).toEqual(['0', '2'])
})

test('days and drafts of an archive arrive with their times, and drafts with their name, type and form [OWN-07]', async () => {
  const [begun, changed] = ['2019-06-10T08:15:00.000Z', '2019-06-11T08:15:00.000Z']
  const day = `---\ndate: 2019-06-10\nupdated_at: ${changed}\n---\nRain`
  const id = '01890a5d-ac96-774b-bcce-b302099a8057'
  const fields = `author_name: Nightingale\ntype: premium\nform: verse\ncreated_at: ${begun}\nupdated_at: ${changed}`
  const texts = {
    'diary/2019-06-10.md': day,
    'calendar/2019-06-10.md': day,
    [`drafts/${id}.md`]: `---\n${fields}\n---\nSun`,
  }
  const files = Object.entries(texts).map(([path, text]) => ({
    path,
    bytes: text.length,
    sha256: bytesToHex(sha256(new TextEncoder().encode(text))),
  }))
  const manifest = JSON.stringify({ format: archiveFormat, version: archiveVersion, files })
  const packed = zipSync(
    Object.fromEntries(
      Object.entries({ ...texts, [manifestPath]: manifest }).map(([path, text]) => [
        path,
        new TextEncoder().encode(text),
      ]),
    ),
  )
  for (const list of [getCalendar, listDrafts, listDocuments]) server.on(list, [])
  server.on(saveCalendarNote, { note_date: '2019-06-10', content: 'Rain', updated_at: changed })
  const stored = {
    id,
    content: 'Sun',
    category: null,
    tags: [],
    postId: null,
    createdAt: begun,
    updatedAt: changed,
  }
  const signature = { authorName: 'Nightingale', postType: 'premium', form: 'verse' } as const
  server.on(createDraft, { ...stored, ...signature })
  open()
  choose(new File([packed], 'ana.zip'))
  await until(/^It comes from/)
  press('Import')
  await until(/^The import is over/)
  expect(screen.getByRole('link', { name: 'Your drafts' }).getAttribute('href')).toBe('/writing')
  expect(server.inputs(saveDiaryEntry)).toMatchObject([{ content: 'Rain', writtenAt: changed }])
  expect(server.inputs(saveCalendarNote)).toMatchObject([{ note: 'Rain', writtenAt: changed }])
  const times = { createdAt: begun, updatedAt: changed }
  expect(server.inputs(createDraft)).toMatchObject([{ id, content: 'Sun', ...signature, ...times }])
})

test('a writer saves the whole report, of which a long list on the screen shows the first 20 lines [OWN-13]', async () => {
  const saved: string[] = []
  let report: Blob | undefined
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download)
  })
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    report = blob as Blob
    return 'blob:report'
  })
  open()
  choose(...twoDays, ...Array.from({ length: 130 }, (_, n) => aFile(`picture ${n}.png`, 'A picture')))
  await until('These are the first 20 of 130. The report has all.')
  expect(within(screen.getByRole('list', { name: 'What to know' })).getAllByRole('listitem')).toHaveLength(20)
  press('Save report')
  expect(saved).toEqual(['import-report.txt'])
  const lines = (await report!.text()).split('\n')
  expect(lines[0]).toBe('new 2, same 0, conflict 0, not understood 0, skipped 130')
  expect(lines).toHaveLength(131)
})

test('an import waits while there is no connection or the server is busy, says so, and goes on by itself [OWN-10]', async () => {
  open()
  choose(...twoDays)
  await until(/^It comes from text files/)
  let failures = 0
  const day = { entry_date: '2019-06-10', content: 'Rain', updated_at: '2025-06-10T12:00:00.000Z' }
  server.on(saveDiaryEntry, ({ disconnect, fail }) => {
    failures++
    if (failures <= 2) disconnect()
    if (failures <= 4) fail('TooManyRequests')
    return day
  })
  press('Import')
  await until('There is no connection. The import goes on by itself when it is back.')
  await until('The server asks to wait a moment. The import goes on by itself.')
  await until('The import is over. It has written 2 days of your diary.')
  // Two were interrupted, two were refused, and each day was saved once.
  expect(server.inputs(saveDiaryEntry)).toHaveLength(6)
})

test('a writer whose session ends during an import signs in again in place, and the import goes on [OWN-10 R22]', async () => {
  open()
  choose(...twoDays)
  await until(/^It comes from text files/)
  hasSession = false
  server.on(login, () => {
    hasSession = true
    return ana
  })
  press('Import')
  await until('Your session has ended. Sign in again, and the import goes on.')
  expect(texts()).toEqual([])
  press('Sign in again')
  fireEvent.change(await screen.findByLabelText('Passcode'), { target: { value: 'a passcode' } })
  press('Continue')
  await until('The import is over. It has written 2 days of your diary.')
  expect(texts()).toEqual(['2019-06-10 Rain', '2019-06-11 Sun'])
})

test('an import never saves into the account of another person who has signed in in this browser [S3]', async () => {
  open()
  choose(...twoDays)
  await until(/^It comes from text files/)
  server.signIn('b7q2m4xp3d')
  press('Import')
  await until('Somebody else is signed in now. Nothing more was imported.')
  expect(texts()).toEqual([])
})

test('an import saves nothing more when another person has signed in while the server asked to wait [S3]', async () => {
  const twelveDays = Array.from({ length: 12 }, (_, n) => aFile(`2019-06-${n + 10}.md`, `Text ${n}`))
  open()
  choose(...twelveDays)
  await until(/^It comes from text files/)
  const saved: string[] = []
  server.on(saveDiaryEntry, ({ input: { date, content }, fail }) => {
    if (saved.length === 3) {
      server.signIn('b7q2m4xp3d')
      fail('TooManyRequests')
    }
    saved.push(date)
    return anEntry(date, content)
  })
  press('Import')
  await screen.findByText('Somebody else is signed in now. Nothing more was imported.', {}, { timeout: 3000 })
  expect(saved).toHaveLength(3)
})

test('a writer who presses Import twice imports once [OWN-10]', async () => {
  open()
  choose(...twoDays)
  await until(/^It comes from text files/)
  const once = button('Import')
  act(() => {
    once.click()
    once.click()
  })
  await until(/^The import is over/)
  expect(server.inputs(saveDiaryEntry)).toHaveLength(2)
})

test('a writer whose import breaks off reads that what was saved stays, and imports the rest [OWN-10]', async () => {
  open()
  choose(...twoDays)
  await until(/^It comes from text files/)
  server.hold(saveDiaryEntry)
  press('Import')
  await until(/^Importing\. .*: 0 of 2 texts$/)
  for (const worker of running) worker.dispatchEvent(new Event('error'))
  await until('The import failed. What it had saved stays. Please try it again: nothing is added twice.')
  choose(...twoDays)
  expect(await until(/^It comes from text files/)).toBeTruthy()
})

test('a writer cancels an import, what was saved stays, and the browser asks before a running import is left [OWN-10]', async () => {
  open()
  choose(...twoDays)
  await until(/^It comes from text files/)
  const leave = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }))
  expect(leave()).toBe(false)
  server.hold(saveDiaryEntry)
  press('Import')
  await until(/^Importing\. .*: 0 of 2 texts$/)
  expect(leave()).toBe(true)
  press('Cancel')
  expect(screen.getByLabelText('Choose files')).toBeTruthy()
  expect([running.size, leave()]).toEqual([0, false])
})

test('an import goes on while the writer is on another page, and its end is shown there again [OWN-10]', async () => {
  const { unmount } = open()
  choose(...twoDays)
  await until(/^It comes from text files/)
  press('Import')
  unmount()
  await waitFor(() => expect(days.size).toBe(2))
  open()
  expect(await until(/^The import is over/)).toBeTruthy()
})

test('a writer who opens the diary before an import is over finds what it has written, without a reload [OWN-10]', async () => {
  const old = Promise.withResolvers<DiaryEntry[]>()
  const Diary = () => useEndpoint(getDiary).data?.map(({ content }) => <p key={content}>{content}</p>)
  const { rerender } = open()
  choose(...twoDays)
  await until(/^It comes from text files/)
  const calls = server.calls(getDiary).length
  server.on(getDiary, () => (server.calls(getDiary).length === calls + 1 ? old.promise : [...days.values()]))
  rerender(
    <>
      <Diary />
      <Import personId={ana.id} />
    </>,
  )
  await waitFor(() => expect(server.calls(getDiary)).toHaveLength(calls + 1))
  press('Import')
  await until(/^The import is over/)
  await act(async () => old.resolve([]))
  expect(await until('Rain')).toBeTruthy()
})

test('a file that no program wrote is refused with a sentence, and another one can be chosen [OWN-13]', async () => {
  open()
  choose(aFile('song.mp3', 'la la'))
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).not.toBe('')
  expect(server.requests).toEqual([])
  choose(...twoDays)
  await until(/^It comes from text files/)
})

test('a writer whose browser cannot load the import reads so and tries again [R22]', async () => {
  isMissing = true
  open()
  choose(...twoDays)
  await until('The import could not be started. Check the connection and try again.')
  isMissing = false
  choose(...twoDays)
  expect(await until(/^It comes from text files/)).toBeTruthy()
})
