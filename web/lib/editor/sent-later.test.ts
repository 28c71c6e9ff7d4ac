import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { RequestError } from '#web/lib/request.ts'
import { fillDrafts } from '#web/lib/testing.ts'
import { allDraftsOf, forgetDraftsOf, keepDraft } from './drafts.ts'
import { Manuscript } from './manuscript.ts'
import { ConflictError, type Save, type StoredText } from './save.ts'
import { editorStatus } from './status.ts'

const owner = 'k7q2m4xp3d'
const place = 'diary/2025-06-10'
const first = '2025-06-10T08:00:00.000Z'
const since = '2025-06-10T09:00:00.000Z'
const later = { sendsLater: true }

/** A server with one text, whose network can be cut before a request or before its answer. */
function startServer() {
  let stored: StoredText = { text: '', version: null }
  let cut: 'request' | 'answer' | null = null
  const sent: string[] = []
  const save: Save = async (text, base) => {
    if (cut === 'request') throw new TypeError('Failed to fetch')
    sent.push(text)
    const isCurrent = base === stored.version
    const current = stored
    if (isCurrent) stored = { text, version: new Date(Date.parse(first) + sent.length).toISOString() }
    if (cut === 'answer') throw new TypeError('Failed to fetch')
    if (!isCurrent) throw new ConflictError(current)
    return stored
  }
  return {
    save,
    sent,
    cut: (where: typeof cut) => void (cut = where),
    replace: (text: string) => void (stored = { text, version: first }),
    get stored() {
      return stored
    },
  }
}

async function opened(stored: StoredText) {
  const manuscript = new Manuscript(owner, place)
  onTestFinished(manuscript.restoreDrafts())
  manuscript.setStored(stored)
  await expect.poll(() => manuscript.snapshot().state).not.toBe('loading')
  await manuscript.draftWritten()
  return manuscript
}

const kept = async () => (await allDraftsOf(owner)).map(([, draft]) => draft)
const statusOf = (manuscript: Manuscript) => editorStatus(manuscript.snapshot())

afterEach(() => void vi.restoreAllMocks())
beforeEach(() => forgetDraftsOf(owner))

test('a person who saves without a network reads that the text is safe and will be sent, also after typing on [OWN-02 OWN-20]', async () => {
  const server = startServer()
  const manuscript = await opened(server.stored)
  manuscript.change('A quiet day')
  await expect.poll(() => statusOf(manuscript)).toBe('Safe on this device')
  server.cut('request')
  expect(await manuscript.save(server.save, later)).toBe(false)
  expect(statusOf(manuscript)).toBe('Safe on this device, will be sent')
  const [draft] = await kept()
  expect(draft).toEqual({
    text: 'A quiet day',
    base: null,
    waiting: { since: expect.any(String) as string, sent: 'A quiet day' },
  })
  manuscript.change('A quiet day, and rain')
  await expect.poll(() => statusOf(manuscript)).toBe('Safe on this device, will be sent')
  expect(await kept()).toEqual([{ ...draft, text: 'A quiet day, and rain' }])
  server.cut(null)
  expect(await manuscript.save(server.save, later)).toBe(true)
  expect(server.stored.text).toBe('A quiet day, and rain')
  expect(await kept()).toEqual([])
})

test('a text waits also when a proxy has answered with a page of its own [OWN-02]', async () => {
  const manuscript = await opened({ text: '', version: null })
  manuscript.change('A quiet day')
  const answerOfProxy: Save = async () => JSON.parse('<!doctype html>') as StoredText
  expect(await manuscript.save(answerOfProxy, later)).toBe(false)
  expect(statusOf(manuscript)).toBe('Safe on this device, will be sent')
  expect(await kept()).toMatchObject([{ text: 'A quiet day', waiting: { sent: 'A quiet day' } }])
})

test('a text that is only sent, such as a message, does not wait for the network [OWN-02]', async () => {
  const server = startServer()
  const manuscript = await opened(server.stored)
  manuscript.change('Hello')
  server.cut('request')
  await manuscript.save(server.save)
  expect(statusOf(manuscript)).toBe('Not saved: no connection, try again')
  expect(await kept()).toEqual([{ text: 'Hello', base: null }])
})

test('a draft is marked before the request, because the page may be killed before the answer [OWN-20]', async () => {
  const manuscript = await opened({ text: '', version: null })
  manuscript.change('Rain')
  await manuscript.draftWritten()
  void manuscript.save(() => new Promise(() => {}), later)
  await manuscript.draftWritten()
  expect(await kept()).toMatchObject([{ text: 'Rain', waiting: { sent: 'Rain' } }])
})

test('a writer whose answer was lost and who typed on has the whole text stored once, without a question [OWN-03 OWN-20]', async () => {
  const server = startServer()
  const manuscript = await opened(server.stored)
  manuscript.change('Rain')
  server.cut('answer')
  await manuscript.save(server.save, later)
  expect(server.stored.text).toBe('Rain')
  manuscript.change('Rain and wind')
  server.cut(null)
  expect(await manuscript.save(server.save, later)).toBe(true)
  expect(manuscript.snapshot().conflict).toBeNull()
  expect(server.sent).toEqual(['Rain', 'Rain', 'Rain and wind'])
  expect(server.stored.text).toBe('Rain and wind')
  expect(await kept()).toEqual([])
})

test('a person who types on while a text that waited is being sent has the newer text sent after it, as the page says [OWN-02 OWN-20]', async () => {
  const server = startServer()
  const manuscript = await opened(server.stored)
  manuscript.change('Rain')
  server.cut('request')
  await manuscript.save(server.save, later)
  server.cut(null)
  const typesOn: Save = async (text, base) => {
    manuscript.change('Rain and wind')
    await manuscript.draftWritten()
    return server.save(text, base)
  }
  await manuscript.save(typesOn, { ...later, isRetry: true })
  expect(statusOf(manuscript)).toBe('Safe on this device, will be sent')
  expect(await kept()).toMatchObject([{ text: 'Rain and wind', waiting: manuscript.saveToRetry }])
  expect(await manuscript.save(server.save, { ...later, isRetry: true })).toBe(true)
  expect(server.sent).toEqual(['Rain', 'Rain and wind'])
  expect(await kept()).toEqual([])
})

test('a page that is opened after such a loss knows the own earlier text by the draft [OWN-03 OWN-20]', async () => {
  const server = startServer()
  server.replace('Rain')
  const waiting = { since, sent: 'Rain' }
  await keepDraft([owner, place, 'closed'], { text: 'Rain and wind', base: null, waiting })
  const manuscript = await opened(server.stored)
  expect(manuscript.saveToRetry).toEqual(waiting)
  expect(await kept()).toEqual([{ text: 'Rain and wind', base: null, waiting }])
  expect(await manuscript.save(server.save, later)).toBe(true)
  expect(server.stored.text).toBe('Rain and wind')
})

test('a page that reads the stored text after the draft still asks about a conflict that was found without it [OWN-03]', async () => {
  const waiting = { since, hasConflict: true } as const
  await keepDraft([owner, place, 'closed'], { text: 'Here', base: null, waiting })
  const manuscript = await opened({ text: '', version: null })
  expect(manuscript.snapshot()).toMatchObject({ text: 'Here', conflict: null })
  manuscript.setStored({ text: 'There', version: first })
  expect(manuscript.snapshot().conflict).toEqual({ here: 'Here', other: 'There', isSaved: true })
})

test('a save that another device has overtaken asks the writer, waits no more, and asks again on the next page [OWN-03]', async () => {
  const server = startServer()
  const manuscript = await opened(server.stored)
  manuscript.change('Here')
  server.cut('request')
  await manuscript.save(server.save, later)
  server.cut(null)
  server.replace('There')
  await manuscript.save(server.save, later)
  expect(manuscript.snapshot().conflict).toEqual({ here: 'Here', other: 'There', isSaved: true })
  manuscript.postponeConflict()
  expect(manuscript.saveToRetry).toBeUndefined()
  expect(await kept()).toMatchObject([{ text: 'Here', base: null, waiting: { hasConflict: true } }])

  const next = await opened(server.stored)
  expect(next.snapshot().conflict).toEqual({ here: 'Here', other: 'There', isSaved: true })
  await next.keepBoth()
  expect(await kept()).toEqual([{ text: 'There\n\nHere', base: first }])
  expect(await next.save(server.save, later)).toBe(true)
})

const refused = (status: number, error: string) => new RequestError(status, error, { error })

test.each([
  [429, 'That was a little too often.', 'Safe on this device, will be sent', true],
  [503, 'We cannot answer right now.', 'Safe on this device, will be sent', true],
  [401, 'Please sign in.', 'Not saved. Log in and try again; your text is kept here.', false],
  [400, 'Your diary is full.', 'Not saved: Your diary is full, try again', false],
])(
  'a first save that is answered %i leaves the draft, and %s: %s [OWN-03]',
  async (status, error, words, waits) => {
    const manuscript = await opened({ text: '', version: null })
    manuscript.change('Rain')
    await manuscript.save(() => Promise.reject(refused(status, error)), later)
    expect(statusOf(manuscript)).toBe(words)
    expect((await kept()).map(({ text, waiting }) => [text, waiting !== undefined])).toEqual([
      ['Rain', waits],
    ])
  },
)

test('a text that waited waits on for the sign-in, and a refusal ends the wait with its sentence [OWN-03]', async () => {
  const server = startServer()
  const manuscript = await opened(server.stored)
  manuscript.change('Rain')
  server.cut('request')
  await manuscript.save(server.save, later)
  await manuscript.save(() => Promise.reject(refused(401, 'Please sign in.')), { ...later, isRetry: true })
  expect(manuscript.saveToRetry).toMatchObject({ sent: 'Rain' })
  await manuscript.save(() => Promise.reject(refused(400, 'Your diary is full.')), {
    ...later,
    isRetry: true,
  })
  expect(manuscript.saveToRetry).toBeUndefined()
  expect(await kept()).toMatchObject([{ text: 'Rain', waiting: { refusal: 'Your diary is full.' } }])
  // The shorter text is not sent after the refused one.
  manuscript.change('R')
  server.cut(null)
  expect(await manuscript.save(server.save, later)).toBe(true)
  expect(server.sent).toEqual(['R'])
})

test('a person whose browser is full does not read that the text is safe, and the open page sends it later [OWN-20]', async () => {
  const server = startServer()
  const manuscript = await opened(server.stored)
  const makeRoom = fillDrafts()
  manuscript.change('No room')
  server.cut('request')
  await manuscript.save(server.save, later)
  expect(statusOf(manuscript)).toBe('Not saved: no connection, try again')
  expect(manuscript.saveToRetry).toMatchObject({ sent: 'No room' })
  makeRoom()
  server.cut(null)
  expect(await manuscript.save(server.save, { ...later, isRetry: true })).toBe(true)
  expect(server.stored.text).toBe('No room')
})

test('a retry does not show that the text is being saved, because the person did not ask [OWN-20]', async () => {
  const server = startServer()
  const manuscript = await opened(server.stored)
  manuscript.change('Rain')
  server.cut('request')
  await manuscript.save(server.save, later)
  const states: string[] = []
  onTestFinished(manuscript.subscribe(() => states.push(statusOf(manuscript))))
  await manuscript.save(server.save, { ...later, isRetry: true })
  expect(new Set(states)).toEqual(new Set(['Safe on this device, will be sent']))
})

test.each([later, { ...later, isRetry: true }])(
  'a person who asks to save while an older text is being sent (%o) has the newer text saved after it [OWN-02]',
  async (options) => {
    const server = startServer()
    const manuscript = await opened(server.stored)
    manuscript.change('Rain')
    const isAnswered = Promise.withResolvers<void>()
    const running = manuscript.save(async (text, base) => {
      await isAnswered.promise
      return server.save(text, base)
    }, options)
    manuscript.change('Rain, then sun')
    const asked = manuscript.save(server.save, later)
    const askedTwice = manuscript.save(server.save, later)
    isAnswered.resolve()
    expect(await Promise.all([running, asked, askedTwice])).toEqual([false, true, false])
    expect(server.sent).toEqual(['Rain', 'Rain, then sun'])
    expect(statusOf(manuscript)).toMatch(/^Saved/)
  },
)
