import type { DiaryEntry } from '#contract/diary/entry.ts'
import { isBlank } from '#contract/text.ts'
import { wordsOf } from '#contract/text-words.ts'

/** The day and the number of words of an entry. The number is valid while the entry has this `updatedAt`. */
export interface CountedDay {
  day: string
  updatedAt: string | null
  words: number
}

/** Counts the days with text, oldest first. An entry that is in `known` and has not changed is not counted again. */
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
