import { useMemo } from 'react'
import type { CalendarNote } from '#contract/calendar/note.ts'
import type { DiaryEntry } from '#contract/diary/entry.ts'
import { isBlank } from '#contract/text.ts'
import type { ReadState } from '#web/lib/api.ts'
import { useDiaryDays } from './diary-days.ts'
import { useNoteDays } from './note-days.ts'

/** A saved text of a day: its diary entry or its calendar note. */
export interface DayText {
  kind: 'diary' | 'note'
  day: string
  content: string
  /** Another one after each save. */
  updatedAt: string | null
}

/** All saved texts of the current person that are not blank, the newest day first. */
export function useDayTexts(isWanted = true): {
  diary: ReadState<DiaryEntry[]>
  notes: ReadState<CalendarNote[]>
  texts: readonly DayText[]
} {
  const diary = useDiaryDays(isWanted)
  const notes = useNoteDays(isWanted)
  const texts = useMemo(() => joined(diary.data ?? [], notes.data ?? []), [diary.data, notes.data])
  return { diary, notes, texts }
}

/** The entry of a day stands before its note. */
const joined = (entries: DiaryEntry[], notes: CalendarNote[]): DayText[] =>
  [
    ...entries.map(({ entry_date, content, updated_at }) => textOf('diary', entry_date, content, updated_at)),
    ...notes
      .filter(({ content }) => !isBlank(content))
      .map(({ note_date, content, updated_at }) => textOf('note', note_date, content, updated_at)),
  ].toSorted((one, other) => (one.day === other.day ? 0 : one.day < other.day ? 1 : -1))

const textOf = (kind: DayText['kind'], day: string, content: string, updatedAt: string | null): DayText => ({
  kind,
  day,
  content,
  updatedAt,
})
