import 'fake-indexeddb/auto'
import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { calendarErrors } from '#contract/calendar/errors.ts'
import { getCalendar, saveCalendarNote } from '#contract/calendar/endpoints.ts'
import { getDiaryEntry, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { diaryErrors } from '#contract/diary/errors.ts'
import type { DiaryEntry } from '#contract/diary/entry.ts'
import { createDraft, getDraft, saveDraft } from '#contract/drafts/endpoints.ts'
import type { Draft as StoredDraft } from '#contract/drafts/draft.ts'
import { getOwnPost } from '#contract/feed/own/endpoints.ts'
import { notesKey } from '#web/features/diary/index.ts'
import { queryKeyOf } from '#web/lib/api.ts'
import type { Draft } from '#web/lib/editor/draft.ts'
import { allDraftsOf, keepDraft } from '#web/lib/editor/drafts.ts'
import { useEditor } from '#web/lib/editor/use-editor.ts'
import { createQueryClient } from '#web/lib/query-client.ts'
import { personKey, stopStoring } from '#web/lib/storage.ts'
import { fillDrafts, holdDrafts } from '#web/lib/testing.ts'
import { pageDiary } from '#web/features/diary/page-diary.ts'
import { diaryEntries } from '#web/features/diary/save-day.ts'
import { textKinds } from '#web/only-copies.ts'
import { anEntry } from '#web/testing/diary.ts'
import { startTestPage } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { Sender } from './sender.ts'

const server = startTestPage()
const entries = new Map<string, DiaryEntry>()
/** All texts that the server has stored, one after the other. */
let writes: string[] = []

/** Stores an entry as our server does: a save whose base is not current is refused. It remembers no idempotency key. */
function storeEntry({
  date,
  content,
  base,
}: {
  date: string
  content: string
  base?: string | null | undefined
}) {
  const current = entries.get(date)
  if ((base ?? null) !== (current?.updated_at ?? null)) return current
  writes.push(content)
  const updated_at = new Date(Date.UTC(2025, 5, 11, 0, 0, writes.length)).toISOString()
  entries.set(date, anEntry(date, content, updated_at))
  return undefined
}

const serveDiary = () =>
  server.on(saveDiaryEntry, ({ input, fail }) => {
    const current = storeEntry(input)
    return current ? fail('DiaryConflict', { current }) : entries.get(input.date)!
  })

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  entries.clear()
  writes = []
  serveDiary()
})
afterEach(() => void vi.restoreAllMocks())

const realTimeout = setTimeout
/** The storage of the browser needs turns of the real event loop. */
async function settled() {
  for (let turn = 0; turn < 30; turn++) await new Promise((resolve) => realTimeout(resolve))
}
const pass = async (ms: number) => {
  await settled()
  await vi.advanceTimersByTimeAsync(ms)
  await settled()
}

const at = (minute: number) => new Date(Date.UTC(2025, 5, 10, 9, minute)).toISOString()

/** Keeps the draft of a closed tab that waits since a minute of the morning. */
const keep = (place: string, text: string, minute: number, more: Partial<Draft> = {}) =>
  keepDraft([ana.id, place, 'closed'], { text, base: null, waiting: { since: at(minute) }, ...more })

function startSender(client = createQueryClient()) {
  const sender = new Sender({ personId: ana.id, kinds: textKinds, client })
  const stop = sender.start()
  onTestFinished(stop)
  return { client, sender, stop, texts: () => sender.snapshot().texts }
}

const left = async () =>
  (await allDraftsOf(ana.id)).map(([[, place], { text, waiting }]) => ({ place, text, ...waiting }))
const sent = () => server.inputs(saveDiaryEntry).map(({ date, content }) => `${date} ${content}`)

test('what waits is sent in the order in which it was saved, once each, and the page has it [OWN-03 OWN-20]', async () => {
  await keep('diary/2025-06-08', 'Third', 3)
  await keep('diary/2025-06-09', 'First', 1)
  await keep('diary/2025-06-10', 'Second', 2)
  await keepDraft([ana.id, 'diary/2025-06-07', 'closed'], { text: 'Nobody asked to save this', base: null })
  await keepDraft(['somebody', 'diary/2025-06-07', 'closed'], {
    text: 'Of somebody else',
    base: null,
    waiting: { since: at(0) },
  })
  const { client, texts } = startSender()
  await settled()
  expect(sent()).toEqual(['2025-06-09 First', '2025-06-10 Second', '2025-06-08 Third'])
  expect(writes).toEqual(['First', 'Second', 'Third'])
  expect(await left()).toEqual([{ place: 'diary/2025-06-07', text: 'Nobody asked to save this' }])
  expect(texts()).toEqual([])
  const known = client.getQueryData(queryKeyOf(getDiaryEntry, { params: { day: '2025-06-09' } }))
  expect(known).toEqual(entries.get('2025-06-09'))
  expect(pageDiary(ana.id).read('2025-06-09')?.content).toBe('First')
})

test('a text whose answer was lost is stored once, although the server has forgotten the request [OWN-03 OWN-20]', async () => {
  server.on(saveDiaryEntry, ({ input, disconnect }) => {
    storeEntry(input)
    return disconnect()
  })
  await keep('diary/2025-06-10', 'Rain', 1)
  startSender()
  await settled()
  expect(await left()).toMatchObject([{ text: 'Rain', sent: 'Rain' }])
  serveDiary()
  await pass(2000)
  expect(writes).toEqual(['Rain'])
  expect(await left()).toEqual([])
})

test('a page that is killed before the answer sends the rest when it is opened again, and doubles nothing [OWN-20]', async () => {
  server.on(saveDiaryEntry, ({ input }) => {
    storeEntry(input)
    return new Promise<never>(() => {})
  })
  await keep('diary/2025-06-09', 'First', 1)
  await keep('diary/2025-06-10', 'Second', 2)
  const killed = startSender()
  await settled()
  killed.stop()
  expect(writes).toEqual(['First'])

  serveDiary()
  startSender()
  await settled()
  expect(writes).toEqual(['First', 'Second'])
  expect(await left()).toEqual([])
})

test('the own earlier text on the server only moves the base of the newer one [OWN-03 OWN-20]', async () => {
  storeEntry({ date: '2025-06-10', content: 'Rain' })
  await keep('diary/2025-06-10', 'Rain and wind', 1, { waiting: { since: at(1), sent: 'Rain' } })
  startSender()
  await settled()
  expect(sent()).toEqual(['2025-06-10 Rain', '2025-06-10 Rain and wind'])
  expect(writes).toEqual(['Rain', 'Rain and wind'])
  expect(await left()).toEqual([])
})

test('a day that another device has changed keeps both texts, waits no more and needs a decision, and the others are sent [OWN-03]', async () => {
  storeEntry({ date: '2025-06-09', content: 'There' })
  await keep('diary/2025-06-09', 'Here', 1)
  await keep('diary/2025-06-10', 'Rain', 2)
  const { sender, texts } = startSender()
  await settled()
  expect(writes).toEqual(['There', 'Rain'])
  expect(await left()).toEqual([{ place: 'diary/2025-06-09', text: 'Here', since: at(1), hasConflict: true }])
  expect(texts()).toMatchObject([
    { name: 'Diary entry of Monday, June 9, 2025', path: '/diary?day=2025-06-09' },
  ])
  await sender.send()
  expect(sent()).toHaveLength(2)
})

test('a person whose session has ended keeps what waits, and it is sent after the sign-in [OWN-03]', async () => {
  server.refuse(saveDiaryEntry, 'SignInRequired')
  await keep('diary/2025-06-10', 'Rain', 1)
  const { sender } = startSender()
  await settled()
  expect(sender.snapshot()).toMatchObject({ isSignedOut: true, texts: [{ since: at(1) }] })
  serveDiary()
  await sender.send()
  expect(writes).toEqual(['Rain'])
  expect(sender.snapshot()).toMatchObject({ isSignedOut: false, texts: [] })
})

test('a session that ends between two texts stops the second, which waits on [OWN-03]', async () => {
  server.refuse(saveDiaryEntry, 'SignInRequired')
  await keep('diary/2025-06-09', 'First', 1)
  await keep('diary/2025-06-10', 'Second', 2)
  const { sender } = startSender()
  await settled()
  expect(sender.snapshot()).toMatchObject({ isSignedOut: true, texts: [{ since: at(1) }, { since: at(2) }] })
  expect(sent()).toEqual(['2025-06-09 First'])
})

test('the text of one person never goes into the account of another who signed in meanwhile [OWN-03 S48]', async () => {
  server.signIn('somebody00')
  await keep('diary/2025-06-10', 'Rain', 1)
  const { sender } = startSender()
  await settled()
  expect(writes).toEqual([])
  expect(sender.snapshot().isSignedOut).toBe(true)
  expect(await left()).toMatchObject([{ text: 'Rain' }])
})

test('a server that asks to wait is asked again after that time, and not before [OWN-03]', async () => {
  server.refuse(saveDiaryEntry, 'TooManyRequests', { retryAfterSeconds: 20 })
  await keep('diary/2025-06-09', 'First', 1)
  await keep('diary/2025-06-10', 'Second', 2)
  const { sender } = startSender()
  await settled()
  serveDiary()
  await pass(15_000)
  await sender.send()
  expect(sent()).toEqual(['2025-06-09 First'])
  expect(sender.snapshot().pausedUntil).toBe(Date.now() + 5000)
  await pass(5_000)
  expect(writes).toEqual(['First', 'Second'])
  expect(sender.snapshot().pausedUntil).toBe(0)
})

test('an answer that is none of the server, such as the page of a proxy, is not asked for every second [OWN-20]', async () => {
  server.answerForeign(saveDiaryEntry, 200, '<!doctype html>')
  await keep('diary/2025-06-10', 'Rain', 1)
  startSender()
  for (let second = 0; second < 60; second++) await pass(1000)
  expect(sent().length).toBeLessThan(8)
})

test('an answer of a proxy that is no stored text removes no draft, and the text is sent later [OWN-03 R22]', async () => {
  server.answerForeign(saveDiaryEntry, 200, '{"status":"sign in"}')
  await keep('diary/2025-06-10', 'Rain', 1)
  startSender()
  await settled()
  expect(await left()).toMatchObject([{ text: 'Rain', sent: 'Rain' }])
  serveDiary()
  for (let second = 0; second < 31; second++) await pass(1000)
  expect(writes).toEqual(['Rain'])
  expect(await left()).toEqual([])
})

test('a text that a silent network never answers is sent again after two minutes, and stored once [OWN-03 OWN-20]', async () => {
  server.on(saveDiaryEntry, ({ input }) => {
    storeEntry(input)
    return new Promise<never>(() => {})
  })
  await keep('diary/2025-06-10', 'Rain', 1)
  startSender()
  await pass(119_000)
  expect(sent()).toEqual(['2025-06-10 Rain'])
  serveDiary()
  await pass(1000)
  await pass(5000)
  expect(writes).toEqual(['Rain'])
  expect(await left()).toEqual([])
})

test('what waits is sent after a minute in which the server could not answer, with few attempts [OWN-03 OWN-20]', async () => {
  server.refuse(saveDiaryEntry, 'Unavailable')
  await keep('diary/2025-06-10', 'Rain', 1)
  startSender()
  for (let second = 0; second < 60; second++) await pass(1000)
  expect(sent().length).toBeGreaterThan(3)
  expect(sent().length).toBeLessThan(10)
  serveDiary()
  for (let second = 0; second < 31; second++) await pass(1000)
  expect(writes).toEqual(['Rain'])
  expect(await left()).toEqual([])
}, 60_000)

test('a text about which the server fails does not keep the others from being sent [OWN-03]', async () => {
  server.on(saveDiaryEntry, ({ input, fail }) => {
    if (input.content === 'Odd') return fail('Unexpected')
    storeEntry(input)
    return entries.get(input.date)!
  })
  await keep('diary/2025-06-09', 'Odd', 1)
  await keep('diary/2025-06-10', 'Rain', 2)
  startSender()
  await settled()
  expect(writes).toEqual(['Rain'])
  expect(await left()).toMatchObject([{ text: 'Odd', sent: 'Odd' }])
})

test('a refused text stays with the sentence of the server, and is not sent again [OWN-20]', async () => {
  server.refuse(saveDiaryEntry, 'DiaryFull')
  server.refuse(saveCalendarNote, 'CalendarFull')
  server.on(getCalendar, [])
  await keep('diary/2025-06-09', 'Long', 1)
  await keep('notes/2025-06-10', 'Longer', 2)
  const { sender, texts } = startSender()
  await settled()
  await sender.send()
  expect(server.changes).toEqual(['POST /api/diary/save', 'POST /api/calendar/save'])
  expect(texts().map(({ refusal }) => refusal)).toEqual([
    diaryErrors.DiaryFull.error,
    calendarErrors.CalendarFull.error,
  ])
  expect((await left()).map(({ text }) => text)).toEqual(['Long', 'Longer'])
})

test('a person whose browser is full has the text sent and removed [OWN-20]', async () => {
  await keep('diary/2025-06-10', 'Rain', 1)
  const makeRoom = fillDrafts()
  startSender()
  await settled()
  makeRoom()
  expect(writes).toEqual(['Rain'])
  expect(await left()).toEqual([])
})

test('a text that waits is sent soon after a browser answers that was late with the drafts [OWN-20]', async () => {
  await keep('diary/2025-06-10', 'Rain', 1)
  const goOn = await holdDrafts()
  startSender()
  await pass(5000)
  await goOn()
  await pass(29_000)
  expect(writes).toEqual([])
  await pass(1000)
  expect(writes).toEqual(['Rain'])
  expect(await left()).toEqual([])
})

test('a draft that is changed while its text is being sent is not removed [OWN-20]', async () => {
  const answer = Promise.withResolvers<void>()
  server.on(saveDiaryEntry, async ({ input }) => {
    storeEntry(input)
    await answer.promise
    return entries.get(input.date)!
  })
  await keep('diary/2025-06-10', 'Rain', 1)
  startSender()
  await settled()
  await keep('diary/2025-06-10', 'Rain and wind', 1, { waiting: { since: at(1), sent: 'Rain' } })
  serveDiary()
  answer.resolve()
  await pass(1000)
  expect(writes).toEqual(['Rain', 'Rain and wind'])
  expect(await left()).toEqual([])
})

test('a text in an editor is saved by the editor and not beside it, in its turn [OWN-03]', async () => {
  const day = '2025-06-09'
  const save = diaryEntries.saveOf(createQueryClient(), ana.id, day)
  const stored = { text: '', version: null }
  const editing = { owner: ana.id, place: `diary/${day}`, stored, save, sendsLater: true }
  const { result: editor } = renderHook(() => useEditor(editing))
  await act(settled)
  await keep('diary/2025-06-08', 'Before', 0)
  vi.setSystemTime(at(1))
  server.disconnect(saveDiaryEntry)
  act(() => editor.current.change('Open'))
  await act(() => editor.current.save())
  await keep('diary/2025-06-10', 'After', 2)
  serveDiary()
  startSender()
  await act(settled)
  await act(settled)
  expect(writes).toEqual(['Before', 'Open', 'After'])
  expect(editor.current).toMatchObject({ state: 'saved', isSentLater: false })
  expect(await left()).toEqual([])
})

test('a draft of a closed tab is not sent while its day is in an editor, where the writer may choose another text [OWN-03]', async () => {
  const place = 'diary/2025-06-09'
  const stored = { text: '', version: null }
  const save = diaryEntries.saveOf(createQueryClient(), ana.id, '2025-06-09')
  const editing = { owner: ana.id, place, stored, save, sendsLater: true }
  const { result: editor } = renderHook(() => useEditor(editing))
  await act(settled)
  act(() => editor.current.change('Here'))
  await act(settled)
  await keep(place, 'In a closed tab', 1)
  const { sender } = startSender()
  let rounds = 0
  sender.subscribe(() => void (rounds += sender.snapshot().isSending ? 1 : 0))
  for (let second = 0; second < 60; second++) await act(() => pass(1000))
  expect(server.changes).toEqual([])
  // There is nothing to do, so it is not looked for every second.
  expect(rounds).toBeLessThan(30)
  expect((await left()).map(({ text }) => text).toSorted()).toEqual(['Here', 'In a closed tab'])
})

test.each([
  ['the network is back', () => dispatchEvent(new Event('online'))],
  ['the window has the focus', () => dispatchEvent(new Event('focus'))],
  ['the tab is shown', () => document.dispatchEvent(new Event('visibilitychange'))],
  ['half a minute has passed, also where the browser says that it is offline', () => pass(30_000)],
])('what waits is sent when %s [OWN-03]', async (_when, happen) => {
  server.disconnect(saveDiaryEntry)
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  await keep('diary/2025-06-10', 'Rain', 1)
  const { sender } = startSender()
  await settled()
  expect(sender.snapshot()).toMatchObject({ isOffline: true, texts: [{ since: at(1) }] })
  serveDiary()
  await pass(2000)
  expect(writes).toEqual([])
  await happen()
  await settled()
  expect(writes).toEqual(['Rain'])
})

test('nothing is sent for a person who is logging out, and no draft comes back [OWN-03 S48]', async () => {
  await keep('diary/2025-06-10', 'Rain', 1)
  stopStoring(ana.id)
  startSender()
  await settled()
  expect(server.changes).toEqual([])
})

test('a note is sent, and the calendar has it [OWN-03]', async () => {
  const updated_at = at(5)
  server.on(saveCalendarNote, ({ input }) => ({ note_date: input.date, content: input.note, updated_at }))
  await keep('notes/2025-06-10', 'Call Ben', 1)
  const client = createQueryClient()
  client.setQueryData(notesKey(ana.id), [])
  startSender(client)
  await settled()
  expect(server.inputs(saveCalendarNote)).toEqual([{ date: '2025-06-10', note: 'Call Ben', base: null }])
  expect(client.getQueryData(notesKey(ana.id))).toEqual([
    { note_date: '2025-06-10', content: 'Call Ben', updated_at },
  ])
})

const draftId = '01900000-0000-7000-8000-000000000001'
const storedDraft = (content: string, more: Partial<StoredDraft> = {}): StoredDraft => ({
  id: draftId,
  content,
  authorName: null,
  postType: 'standard',
  form: null,
  category: null,
  tags: [],
  postId: null,
  createdAt: at(0),
  updatedAt: at(0),
  ...more,
})

test('a new draft of a post is created once with the id and the choices of this device, also when the answer was lost [OWN-03 OWN-20]', async () => {
  let stored: StoredDraft | undefined
  let isLost = true
  server.refuse(getOwnPost, 'PostNotFound')
  server.on(createDraft, ({ input, fail, disconnect }) => {
    if (stored) return fail('DraftConflict', { current: stored })
    stored = storedDraft(input.content, { id: input.id!, category: input.category ?? null })
    if (isLost) return disconnect()
    return stored
  })
  server.on(
    saveDraft,
    ({ input }) => (stored = storedDraft(input.content, { category: input.category ?? null })),
  )
  const chosen = { authorName: null, postType: 'standard', form: null, category: 'Poetry', tags: [] }
  localStorage.setItem(personKey(`post-draft/${draftId}`, ana.id), JSON.stringify({ chosen }))
  await keep(`draft/${draftId}`, 'A lamp\n\nin the window', 1)
  const { client, texts } = startSender()
  await settled()
  expect(texts()).toMatchObject([{ name: 'A lamp', path: `/write/${draftId}` }])
  isLost = false
  await pass(2000)
  expect(server.inputs(createDraft).map(({ id }) => id)).toEqual([draftId, draftId])
  expect(stored).toMatchObject({ id: draftId, content: 'A lamp\n\nin the window', category: 'Poetry' })
  expect(await left()).toEqual([])
  expect(localStorage.getItem(personKey(`post-draft/${draftId}`, ana.id))).toBeNull()
  expect(client.getQueryData(queryKeyOf(getDraft, { params: { id: draftId } }))).toEqual(stored)
})

test('a changed draft of a post keeps the choices that the server has, and the draft of a change names its post [OWN-03]', async () => {
  const before = storedDraft('A lamp', { category: 'Poetry', tags: ['night'] })
  server.on(getDraft, before)
  server.on(saveDraft, ({ input }) => storedDraft(input.content))
  await keep(`draft/${draftId}`, 'Two lamps', 1, { base: at(0) })
  startSender()
  await settled()
  expect(server.inputs(saveDraft)).toMatchObject([
    { content: 'Two lamps', base: at(0), category: 'Poetry', tags: ['night'] },
  ])

  const { createdAt: _created, postId: _post, ...fields } = before
  const times = { status: 'published', hasWaitingVersion: false, publishedAt: at(0), editedAt: null } as const
  server.on(getOwnPost, { ...fields, ...times, authorName: 'Ana Lima' })
  server.on(createDraft, ({ input }) => storedDraft(input.content))
  await keep(`draft/${draftId}`, 'Three lamps', 2)
  startSender()
  await settled()
  expect(server.inputs(createDraft)).toMatchObject([{ id: draftId, postId: draftId, category: 'Poetry' }])
})
