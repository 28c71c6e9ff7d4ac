import type { DiaryEntry } from '#contract/diary/entry.ts'
import { isBlank } from '#contract/text.ts'
import { wordsOf } from '#contract/text-words.ts'

/** All that reports need of an entry; it holds as long as the entry has this `updatedAt`. */
export interface CountedDay {
  day: string
  updatedAt: string | null
  words: number
}

/** The days with text, oldest first; what is already known of an entry is not counted again. */
export function countDays(
  entries: readonly DiaryEntry[],
  known: readonly CountedDay[] = [],
): readonly CountedDay[] {
  const knownByDay = new Map(known.map((each) => [each.day, each]))
  return entries
    .filter(({ content }) => !isBlank(content))
    .map((entry) => {
      const before = knownByDay.get(entry.entry_date)
      return entry.updated_at !== null && before?.updatedAt === entry.updated_at ? before : countDay(entry)
    })
    .toSorted((one, other) => (one.day < other.day ? -1 : 1))
}

const countDay = ({ entry_date, updated_at, content }: DiaryEntry): CountedDay => ({
  day: entry_date,
  updatedAt: updated_at,
  words: wordsOf(content).length,
})
