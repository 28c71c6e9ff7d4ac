import { guestId } from '#web/lib/session-keys.ts'
import { personKey, storedText } from '#web/lib/storage.ts'

// The texts of a guest stay in the browser, under the id of that guest. A guest who signs up can move them to the account.

const guestOfPerson = (personId: string) => storedText(personKey('diary', personId, 'guest'))

/** Stores which guest of this browser has become this person. */
export function rememberGuest(personId: string): void {
  guestOfPerson(personId).write(guestId())
}

/** The id under which this browser kept the days of the guest who became this person. */
export const guestOf = (personId: string): string | null => guestOfPerson(personId).read()
