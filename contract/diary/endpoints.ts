import * as z from 'zod/mini'
import { DiaryEntry, entryMaxLength } from '#contract/diary/entry.ts'
import { endpoint } from '#contract/endpoint.ts'
import { AnyText, Day, Instant, Page } from '#contract/schemas.ts'

export const diaryMax = 5000

export const getDiary = endpoint({
  summary: 'Lists the diary entries of the caller, the oldest day first.',
  method: 'GET',
  path: '/api/diary',
  query: Page(diaryMax),
  output: z.array(DiaryEntry),
  errors: ['DiaryLocked'],
})

export const getDiaryEntry = endpoint({
  summary: 'Answers the diary entry of a day.',
  description: 'A day without an entry has an empty text, and null as `updated_at`.',
  method: 'GET',
  path: '/api/diary/:day',
  params: z.object({ day: Day }),
  output: DiaryEntry,
  errors: ['DayDamaged', 'DiaryLocked'],
})

export const saveDiaryEntry = endpoint({
  summary: 'Saves the diary entry of a day.',
  method: 'POST',
  path: '/api/diary/save',
  input: z.object({
    date: Day,
    content: AnyText(entryMaxLength),
    /** The `updated_at` that the writer started from, null for none; left out, the last save wins. */
    base: z.optional(z.nullable(Instant)),
    /** When the text was written, if it was elsewhere. Only a day that has no text takes it. Never later than now. */
    writtenAt: z.optional(Instant),
  }),
  output: DiaryEntry,
  errors: ['DayDamaged', 'DiaryConflict', 'DiaryFull', 'DiaryLocked'],
})
