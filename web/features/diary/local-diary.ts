import * as z from 'zod/mini'
import type { DiaryEntry } from '#contract/diary/entry.ts'
import { isBlank } from '#contract/text.ts'
import { type LocalDays, localDays } from '#web/lib/local-days.ts'

const LocalEntry = z.object({
  date: z.string(),
  content: z.string(),
  saved: z.boolean(),
  updated_at: z.nullable(z.string()),
})
/** A day of the diary as this browser keeps it; `updated_at` is null while it was never saved. */
export type LocalEntry = z.infer<typeof LocalEntry>
export type LocalDiary = LocalDays<LocalEntry>

/** The same object for the same owner: it remembers what it has read. */
export function localDiary(owner: string): LocalDiary {
  const diary = diaries.get(owner) ?? localDays('diary', owner, LocalEntry)
  diaries.set(owner, diary)
  return diary
}

const diaries = new Map<string, LocalDiary>()

export const localForm = ({ entry_date, content, updated_at }: DiaryEntry): LocalEntry => ({
  date: entry_date,
  content,
  saved: true,
  updated_at,
})

export const entryForm = ({ date, content, updated_at }: LocalEntry): DiaryEntry => ({
  entry_date: date,
  content,
  updated_at,
})

/** What a reader of the diary sees: saved days with text. */
export const isShown = ({ content, updated_at }: DiaryEntry): boolean =>
  updated_at !== null && !isBlank(content)

/** Browsers give a page some five million characters: a long diary leaves room for everything else. */
const roomInCharacters = 3_000_000
const writesInARow = 200

/**
 * Copies the saved days into this browser, the latest first, as far as there is room. A day with text that waits to be
 * saved stays as it is. In steps, so that the page never stands still.
 */
export async function copyHere(local: LocalDiary, entries: DiaryEntry[], signal: AbortSignal): Promise<void> {
  let room = roomInCharacters
  let writes = 0
  for (const entry of entries.toReversed()) {
    room -= entry.content.length
    if (room < 0 || signal.aborted) return
    const here = local.read(entry.entry_date)
    const isThere = here !== undefined && (!here.saved || (here.updated_at ?? '') >= (entry.updated_at ?? ''))
    if (isThere) continue
    if (!local.write(entry.entry_date, localForm(entry))) return
    if (++writes % writesInARow === 0) await new Promise((resolve) => setTimeout(resolve))
  }
}
