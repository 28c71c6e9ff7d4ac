import * as z from 'zod/mini'
import { type LocalDays, localDays } from './local-days.ts'

const LocalNote = z.object({
  date: z.string(),
  note: z.string(),
  saved: z.boolean(),
  updated_at: z.nullable(z.string()),
})
/** A note as this browser keeps it for somebody without an account. */
export type LocalNote = z.infer<typeof LocalNote>

export const localNotes = (owner: string): LocalDays<LocalNote> => localDays('notes', owner, LocalNote)
