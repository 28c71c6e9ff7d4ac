import { type LocalDays, localDays } from '#web/lib/local-days.ts'
import { readKey } from '#web/lib/session-keys.ts'
import { storedRow } from '#web/lib/stored-row.ts'

/** A note as this browser keeps it for a person without an account. */
export interface LocalNote {
  date: string
  note: string
  saved: boolean
  updated_at: string | null
}
const schema = storedRow<LocalNote>({
  date: 'string',
  note: 'string',
  saved: 'boolean',
  updated_at: 'string or null',
})

export const localNotes = (owner: string): LocalDays<LocalNote> => localDays('notes', owner, schema)

/** Whether this browser keeps notes of the person, who is a guest. There is no other copy of them. */
export const hasGuestNotes = (owner: string): boolean =>
  owner === readKey('guestId') && !localNotes(owner).isEmpty()
