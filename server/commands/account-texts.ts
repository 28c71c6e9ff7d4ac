import type { ImportTarget, SaveResult } from '#contract/imports/apply.ts'
import type { ImportedFile } from '#contract/imports/entry.ts'
import type { StoredWriting } from '#contract/imports/plan.ts'
import type { StoredDay } from '#contract/imports/plan-day.ts'
import { type StoredTexts, wordCountsOf } from '#contract/imports/plan-text.ts'
import { calendarTexts } from '#server/features/calendar/index.ts'
import {
  type DayText,
  type DayTexts,
  readDayTexts,
  saveDayText,
  type Vault,
} from '#server/features/day-texts/index.ts'
import { diaryTexts } from '#server/features/diary/index.ts'
import * as documents from '#server/features/documents/index.ts'
import * as drafts from '#server/features/drafts/index.ts'
import { systemClock } from '#server/platform/clock.ts'
import type { Database, Db } from '#server/platform/database/pool.ts'
import type { TimeCursor, TimeSlice } from '#server/platform/http/answers/paging.ts'
import { Refused } from '#server/platform/http/refusal.ts'
import { newId, type Random } from '#server/platform/ids.ts'

interface Owner {
  vault: Vault
  userId: string
}

/** The texts of an account that a file is compared with. */
export async function readStored(db: Db, owner: Owner, { entries }: ImportedFile): Promise<StoredWriting> {
  const texts = entries.filter((entry) => entry.kind !== 'day')
  const wordCounts = wordCountsOf(texts)
  const isIn = (of: 'diary' | 'calendar') => entries.some((entry) => entry.kind === 'day' && entry.of === of)
  return {
    diary: isIn('diary') ? await readDays(db, owner, diaryTexts) : new Map(),
    calendar: isIn('calendar') ? await readDays(db, owner, calendarTexts) : new Map(),
    drafts: await readTexts(wordCounts, {
      list: async (page) => {
        const { drafts: items, next } = await drafts.listDrafts(db, owner, page)
        return { items, next }
      },
      find: (id) => drafts.findDraft(db, owner, id),
    }),
    documents: await readTexts(wordCounts, {
      list: async (page) => {
        const { documents: items, next } = await documents.listDocuments(db, owner, page)
        return { items, next }
      },
      find: (id) => documents.findDocument(db, owner, id),
    }),
  }
}

async function readDays(db: Db, owner: Owner, texts: DayTexts) {
  const days = new Map<string, StoredDay>()
  const { batches } = await readDayTexts(db, { texts, ...owner }, { limit: 1_000_000 })
  for await (const batch of batches) for (const text of batch) days.set(text.day, storedOf(text))
  return days
}

const storedOf = ({ content: text, updatedAt }: DayText): StoredDay => ({ text, updatedAt })

interface Listing {
  list: (slice: TimeSlice) => Promise<{
    items: { id: string; wordCount: number }[]
    next: TimeCursor | undefined
  }>
  find: (id: string) => Promise<{ content: string } | 'damaged' | undefined>
}

/** All ids, and only those texts whose word count occurs in the file: no other text can be equal. */
async function readTexts(wordCounts: ReadonlySet<number>, { list, find }: Listing): Promise<StoredTexts> {
  const ids = new Set<string>()
  const texts = new Set<string>()
  let before: TimeCursor | undefined
  do {
    const { items, next } = await list({ limit: 200, before })
    for (const { id, wordCount } of items) {
      ids.add(id)
      const text = wordCounts.has(wordCount) ? await find(id) : undefined
      if (typeof text === 'object') texts.add(text.content)
    }
    before = next
  } while (before !== undefined)
  return { ids, texts }
}

/** Saves by the queries of the handlers, each text in a transaction of its own. */
export function accountTarget(db: Database, random: Random, owner: Owner): ImportTarget {
  const idOr = (id: string | undefined) => id ?? newId({ clock: systemClock, random })
  return {
    saveDay: ({ of, day, text: content, base, writtenAt }) =>
      unlessRefused(async () => {
        const texts = of === 'diary' ? diaryTexts : calendarTexts
        const done = await saveDayText(db, { texts, ...owner }, { day, content, base, writtenAt })
        if ('saved' in done) return 'saved' as const
        if (done.refused === 'conflict') return { current: storedOf(done.current) }
        throw new Refused(of === 'diary' ? 'DiaryFull' : 'CalendarFull')
      }),

    saveDraft: ({ id: chosenId, fields, createdAt, updatedAt }) =>
      unlessRefused(() =>
        db.transaction(async (tx): Promise<SaveResult> => {
          await drafts.lockDrafts(tx, owner.userId)
          const id = idOr(chosenId)
          const times = { createdAt: createdAt ?? undefined, updatedAt: updatedAt ?? undefined }
          if (await drafts.addDraft(tx, owner, { id, postId: null, ...fields, ...times })) return 'saved'
          const { current } = await drafts.findAfterRefusedChange(tx, owner, id)
          return current === undefined ? 'full' : 'id in use'
        }),
      ),

    saveDocument: ({ id: chosenId, source, title, content, createdAt }) =>
      unlessRefused(() =>
        db.transaction(async (tx): Promise<SaveResult> => {
          await documents.lockDocuments(tx, owner.userId)
          const id = idOr(chosenId)
          if (await documents.addDocument(tx, owner, { id, source, title, content, createdAt }))
            return 'saved'
          return (await documents.isDocumentThere(tx, owner, id)) ? 'id in use' : 'full'
        }),
      ),
  }
}

/** A refusal about one text ends nothing but this text. */
async function unlessRefused<T>(save: () => Promise<T>): Promise<T | { refused: string }> {
  try {
    return await save()
  } catch (error) {
    if (error instanceof Refused && error.status === 400) return { refused: error.body.error }
    throw error
  }
}
