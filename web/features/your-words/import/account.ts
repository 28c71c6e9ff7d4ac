import { getMe } from '#contract/account/endpoints.ts'
import { getCalendar, saveCalendarNote } from '#contract/calendar/endpoints.ts'
import type { CalendarNote } from '#contract/calendar/note.ts'
import { getDiary, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import type { DiaryEntry } from '#contract/diary/entry.ts'
import { createDocument, getDocument, listDocuments } from '#contract/documents/endpoints.ts'
import { createDraft, getDraft, listDrafts } from '#contract/drafts/endpoints.ts'
import type { Endpoint, OutputOf, SentQuery } from '#contract/endpoint.ts'
import type { ImportTarget, SaveResult } from '#contract/imports/apply.ts'
import type { ImportedFile } from '#contract/imports/entry.ts'
import type { StoredWriting } from '#contract/imports/plan.ts'
import type { DayWrite, StoredDay } from '#contract/imports/plan-day.ts'
import { type StoredTexts, wordCountsOf } from '#contract/imports/plan-text.ts'
import { RequestError, send, sendForPage } from '#web/lib/request.ts'
import { sendInParts } from '#web/lib/send-in-parts.ts'
import { randomId } from '#web/lib/session-storage.ts'

/** Calls until the call is answered or refused for good. */
export type Patiently = <T>(call: () => Promise<T>) => Promise<T>

/** The texts of the account that a file is compared with. */
export async function readStored({ entries }: ImportedFile, patiently: Patiently): Promise<StoredWriting> {
  const texts = entries.filter((entry) => entry.kind !== 'day')
  const wordCounts = wordCountsOf(texts)
  const isIn = (of: 'diary' | 'calendar') => entries.some((entry) => entry.kind === 'day' && entry.of === of)
  const readTexts = <E extends Endpoint>(list: E, read: (id: string) => Promise<{ content: string }>) =>
    texts.length === 0 ? noTexts : readSome(list, wordCounts, read, patiently)
  return {
    diary: isIn('diary') ? await patiently(readDiary) : new Map(),
    calendar: isIn('calendar') ? await patiently(readNotes) : new Map(),
    drafts: await readTexts(listDrafts, (id) => send(getDraft, { params: { id } })),
    documents: await readTexts(listDocuments, (id) => send(getDocument, { params: { id } })),
  }
}

const noTexts: StoredTexts = { ids: new Set(), texts: new Set() }

async function readDiary() {
  const days = new Map<string, StoredDay>()
  for await (const part of sendInParts(getDiary))
    for (const entry of part) days.set(entry.entry_date, storedOf(entry))
  return days
}

async function readNotes() {
  const days = new Map<string, StoredDay>()
  for await (const part of sendInParts(getCalendar))
    for (const note of part) days.set(note.note_date, storedOf(note))
  return days
}

const storedOf = ({ content, updated_at }: DiaryEntry | CalendarNote): StoredDay => ({
  text: content,
  updatedAt: updated_at,
})

/** All ids, and only those texts whose word count occurs in the file: no other text can be equal. */
async function readSome<E extends Endpoint>(
  list: E,
  wordCounts: ReadonlySet<number>,
  read: (id: string) => Promise<{ content: string }>,
  patiently: Patiently,
): Promise<StoredTexts> {
  const ids = new Set<string>()
  const texts = new Set<string>()
  for (let before: string | null | undefined; before !== null;) {
    const query = (before === undefined ? {} : { before }) as SentQuery<E>
    const page = await patiently(() => sendForPage(list, { query }))
    for (const { id, wordCount } of page.items as OutputOf<typeof listDrafts>) {
      ids.add(id)
      if (!wordCounts.has(wordCount)) continue
      const text = await patiently(() => read(id)).catch(unlessRefused)
      if (text !== undefined) texts.add(text.content)
    }
    before = page.nextBefore
  }
  return { ids, texts }
}

/** A damaged text, and one that was deleted meanwhile, is equal to none. */
function unlessRefused(error: unknown): undefined {
  if (!(error instanceof RequestError)) throw error
}

/** Saves by the calls of the pages of diary, calendar, drafts and documents. */
export const accountTarget = (patiently: Patiently): ImportTarget => ({
  saveDay: (write) => patiently(() => sendDay(write)).then(() => 'saved' as const, dayRefusal),
  saveDraft: ({ id, fields, createdAt, updatedAt }) => {
    const times = { ...(createdAt !== null && { createdAt }), ...(updatedAt !== null && { updatedAt }) }
    const input = { ...fields, ...times, ...(id !== undefined && { id }) }
    const idempotencyKey = randomId()
    return patiently(() => send(createDraft, { input, idempotencyKey })).then(saved, textRefusal)
  },
  saveDocument: ({ id, source, title, content, createdAt }) => {
    const input = { source, title, content, createdAt, ...(id !== undefined && { id }) }
    const idempotencyKey = randomId()
    return patiently(() => send(createDocument, { input, idempotencyKey })).then(saved, textRefusal)
  },
})

function sendDay({ of, day: date, text, base, writtenAt }: DayWrite): Promise<unknown> {
  const at = { date, base, ...(writtenAt !== undefined && { writtenAt }) }
  return of === 'diary'
    ? send(saveDiaryEntry, { input: { ...at, content: text } })
    : send(saveCalendarNote, { input: { ...at, note: text } })
}

const saved = () => 'saved' as const

function dayRefusal(error: unknown) {
  if (!(error instanceof RequestError)) throw error
  if (error.code === 'DiaryConflict' || error.code === 'CalendarConflict')
    return { current: storedOf(error.current as DiaryEntry | CalendarNote) }
  return { refused: error.error ?? error.message }
}

function textRefusal(error: unknown): SaveResult {
  if (!(error instanceof RequestError)) throw error
  if (error.code === 'DraftConflict' || error.code === 'DraftDamaged' || error.code === 'DocumentConflict')
    return 'id in use'
  if (error.code === 'DraftsFull' || error.code === 'DocumentsFull') return 'full'
  return { refused: error.error ?? error.message }
}

/** Whether this person is the one of the session. */
export const isPersonStill = async (personId: string): Promise<boolean> =>
  (await send(getMe))?.id === personId
