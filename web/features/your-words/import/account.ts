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
import { readInParts } from '#web/lib/read-in-parts.ts'
import { randomId } from '#web/lib/session-keys.ts'

/** Calls until the call is answered or refused for good. */
export type RepeatCall = <T>(call: () => Promise<T>) => Promise<T>

/** The person who imports. The server refuses each call when somebody else is signed in. */
interface Importing {
  personId: string
  repeatCall: RepeatCall
}

/** The texts of the account that a file is compared with. */
export async function readStored(
  { entries }: ImportedFile,
  { personId, repeatCall }: Importing,
): Promise<StoredWriting> {
  const texts = entries.filter((entry) => entry.kind !== 'day')
  const wordCounts = wordCountsOf(texts)
  const isIn = (of: 'diary' | 'calendar') => entries.some((entry) => entry.kind === 'day' && entry.of === of)
  const readTexts = <E extends Endpoint>(list: E, read: (id: string) => Promise<{ content: string }>) =>
    texts.length === 0 ? noTexts : readSome(list, wordCounts, read, { personId, repeatCall })
  return {
    diary: isIn('diary') ? await repeatCall(() => readDiary(personId)) : new Map(),
    calendar: isIn('calendar') ? await repeatCall(() => readNotes(personId)) : new Map(),
    drafts: await readTexts(listDrafts, (id) => send(getDraft, { params: { id }, personId })),
    documents: await readTexts(listDocuments, (id) => send(getDocument, { params: { id }, personId })),
  }
}

const noTexts: StoredTexts = { ids: new Set(), texts: new Set() }

async function readDiary(personId: string) {
  const days = new Map<string, StoredDay>()
  for await (const part of readInParts(getDiary, { personId }))
    for (const entry of part) days.set(entry.entry_date, storedOf(entry))
  return days
}

async function readNotes(personId: string) {
  const days = new Map<string, StoredDay>()
  for await (const part of readInParts(getCalendar, { personId }))
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
  { personId, repeatCall }: Importing,
): Promise<StoredTexts> {
  const ids = new Set<string>()
  const texts = new Set<string>()
  for (let before: string | null | undefined; before !== null;) {
    const query = (before === undefined ? {} : { before }) as SentQuery<E>
    const page = await repeatCall(() => sendForPage(list, { query, personId }))
    for (const { id, wordCount } of page.items as OutputOf<typeof listDrafts>) {
      ids.add(id)
      if (!wordCounts.has(wordCount)) continue
      const text = await repeatCall(() => read(id)).catch(unlessRefused)
      if (text !== undefined) texts.add(text.content)
    }
    before = page.nextBefore
  }
  return { ids, texts }
}

/** A damaged text, and one that was deleted meanwhile, is equal to none. */
function unlessRefused(error: unknown): undefined {
  refusalOf(error)
}

/** The refusal of one text. Every other failure ends the import. */
function refusalOf(error: unknown): RequestError {
  if (error instanceof RequestError && error.code !== 'OtherPerson') return error
  throw error
}

/** Saves by the calls of the pages of diary, calendar, drafts and documents. */
export const accountTarget = ({ personId, repeatCall }: Importing): ImportTarget => ({
  saveDay: (write) => repeatCall(() => sendDay(write, personId)).then(() => 'saved' as const, dayRefusal),
  saveDraft: ({ id, fields, createdAt, updatedAt }) => {
    const times = { ...(createdAt !== null && { createdAt }), ...(updatedAt !== null && { updatedAt }) }
    const input = { ...fields, ...times, ...(id !== undefined && { id }) }
    const idempotencyKey = randomId()
    return repeatCall(() => send(createDraft, { input, idempotencyKey, personId })).then(saved, textRefusal)
  },
  saveDocument: ({ id, source, title, content, createdAt }) => {
    const input = { source, title, content, createdAt, ...(id !== undefined && { id }) }
    const idempotencyKey = randomId()
    return repeatCall(() => send(createDocument, { input, idempotencyKey, personId })).then(
      saved,
      textRefusal,
    )
  },
})

function sendDay({ of, day: date, text, base, writtenAt }: DayWrite, personId: string): Promise<unknown> {
  const at = { date, base, ...(writtenAt !== undefined && { writtenAt }) }
  return of === 'diary'
    ? send(saveDiaryEntry, { input: { ...at, content: text }, personId })
    : send(saveCalendarNote, { input: { ...at, note: text }, personId })
}

const saved = () => 'saved' as const

function dayRefusal(failure: unknown) {
  const { code, current, error, message } = refusalOf(failure)
  if (code === 'DiaryConflict' || code === 'CalendarConflict')
    return { current: storedOf(current as DiaryEntry | CalendarNote) }
  return { refused: error ?? message }
}

function textRefusal(failure: unknown): SaveResult {
  const { code, error, message } = refusalOf(failure)
  if (code === 'DraftConflict' || code === 'DraftDamaged' || code === 'DocumentConflict') return 'id in use'
  if (code === 'DraftsFull' || code === 'DocumentsFull') return 'full'
  return { refused: error ?? message }
}
