import { personKey, removeStored, storedKeys, storedText } from '#web/lib/storage.ts'

const area = 'sessionStorage'
const prefix = 'openid-return'

/** The address of the page that a person has left to sign in again at the provider. Log-out removes the address (S48). */
export const storedReturn = (personId: string) => storedText(personKey(prefix, personId), { area })

/** Removes the address that was stored for an attempt, whoever began it: no other attempt leads to that page. */
export function removeReturns(): void {
  for (const key of storedKeys(area)) if (key.startsWith(`${prefix}:`)) removeStored(area, key)
}
