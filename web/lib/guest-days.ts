import { guestId, readKey } from './session-storage.ts'

// What a guest writes stays in the browser, under an id of its own. Who signs up as that guest may take it along.

const keyOf = (personId: string) => `diary:${personId}:guest`

/** A guest has become a person: what this browser keeps for the guest is theirs. */
export function rememberGuest(personId: string): void {
  try {
    localStorage.setItem(keyOf(personId), guestId())
  } catch {
    // Then nothing of the guest's was kept either.
  }
}

/** The id under which this browser kept the days of the guest that this person was. */
export function guestOf(personId: string): string | null {
  try {
    return localStorage.getItem(keyOf(personId))
  } catch {
    return null
  }
}

/** Whether this browser keeps days of a guest: there is no other copy of them. */
export function hasGuestDays(): boolean {
  const id = readKey('guestId')
  const day = new RegExp(`^(diary|notes):${id}:\\d{4}-\\d{2}-\\d{2}$`)
  try {
    return id !== null && Object.keys(localStorage).some((key) => day.test(key))
  } catch {
    return false
  }
}
