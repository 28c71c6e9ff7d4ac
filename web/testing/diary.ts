import type { DiaryEntry } from '#contract/diary/entry.ts'

export const morning = '2025-06-10T08:00:00.000Z'

export const anEntry = (
  entry_date: string,
  content: string,
  updated_at: string | null = morning,
): DiaryEntry => ({ entry_date, content, updated_at })
