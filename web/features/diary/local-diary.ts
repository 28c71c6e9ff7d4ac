import type { DiaryEntry } from '#contract/diary/entry.ts'
import { isBlank } from '#contract/text.ts'
import { cached } from '#web/lib/cached.ts'
import { type LocalDays, localDays } from '#web/lib/local-days.ts'
import { readKey } from '#web/lib/session-keys.ts'
import { storedRow } from '#web/lib/stored-row.ts'

/** A day of the diary in this browser. Its `updated_at` is null until it is saved. */
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

/**
 * The diary of a guest in `localStorage`. Of a person with an account it has only what older programs have left there, and
 * unsaved texts that could not be kept as drafts (`page-diary.ts`). Returns the same object for the same owner, because it
 * caches what it has read.
 */
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
