import type { DiaryEntry } from '#contract/diary/entry.ts'
import { isBlank } from '#contract/text.ts'
import { cached } from '#web/lib/cached.ts'
import { type LocalDays, localDays } from '#web/lib/local-days.ts'
import { readKey } from '#web/lib/session-keys.ts'
import { storedRow } from '#web/lib/stored-row.ts'

/** A day of the diary in `localStorage`. Its `updated_at` is null until it is saved. */
export interface LocalEntry {
  date: string
  content: string
  saved: boolean
  updated_at: string | null
}
const schema = storedRow<LocalEntry>({
  date: 'string',
  content: 'string',
  saved: 'boolean',
  updated_at: 'string or null',
})

export type LocalDiary = LocalDays<LocalEntry>

/** Returns the same object for the same owner, because it caches what it has read. */
export const localDiary = (owner: string): LocalDiary =>
  cached(diaries, owner, () => localDays('diary', owner, schema))

const diaries = new Map<string, LocalDiary>()

/** Whether this browser keeps days of the person, who is a guest. There is no other copy of them. */
export const hasGuestDays = (owner: string): boolean =>
  owner === readKey('guestId') && !localDiary(owner).isEmpty()

/** Removes the saved days of a person from this browser. Unsaved text stays. */
export function forgetSavedDays(owner: string): void {
  const local = localDiary(owner)
  for (const { date, saved } of local.all()) if (saved) local.remove(date)
}

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

/** Whether a view of the diary shows this day: it is saved and has text. */
export const hasSavedText = ({ content, updated_at }: DiaryEntry): boolean =>
  updated_at !== null && !isBlank(content)

/** Browsers give a site about five million characters. A long diary must leave room for other data. */
const roomInCharacters = 3_000_000
const writesInARow = 200

/**
 * Copies the saved days into this browser, the latest first, until there is no room. An unsaved text in this browser is not
 * replaced. The pauses between the writes keep the page responsive.
 */
export async function copyToBrowser(
  local: LocalDiary,
  entries: DiaryEntry[],
  signal: AbortSignal,
): Promise<void> {
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
