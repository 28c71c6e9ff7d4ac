import * as z from 'zod/mini'
import { Day, Instant } from '#contract/schemas.ts'

/** In code points. */
export const entryMaxLength = 100_000
/** What all entries of a person may take. */
export const diaryMaxMiB = 32

/** What a person wrote on a day; a day without an entry has no text and no `updated_at`. */
export const DiaryEntry = z.object({
  entry_date: Day,
  content: z.string(),
  updated_at: z.nullable(Instant),
})
export type DiaryEntry = z.output<typeof DiaryEntry>
