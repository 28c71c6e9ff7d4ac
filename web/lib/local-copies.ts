import { hasGuestDays } from './guest-days.ts'

/** Entries of competitions: no other copy of them is kept anywhere. */
const entryPrefix = 'competition-entry:'

/** Keys under which a person's own texts are kept in this browser begin so, followed by the person's id. */
const localCopyPrefixes = ['diary:', 'notes:', 'post-draft:', 'room-draft:', entryPrefix]

/** Whether this browser holds text of one of these people that is saved nowhere. Rejects when the file of drafts is missing. */
export async function hasUnsavedText(owners: string[]): Promise<boolean> {
  // First, so that removeLocalCopies can rely on the file.
  const file = await drafts()
  if (hasGuestDays() || owners.some(hasEntries)) return true
  const has = await Promise.all(owners.map((owner) => file.hasDrafts(owner).catch(() => false)))
  return has.includes(true)
}

/** Removes what this browser keeps for a person: signing out leaves nothing behind (S48). */
export async function removeLocalCopies(personId: string): Promise<void> {
  try {
    for (const storage of [localStorage, sessionStorage])
      for (const key of keysOf(storage, personId, localCopyPrefixes)) storage.removeItem(key)
    const { forgetDraftsOf } = await drafts()
    await forgetDraftsOf(personId)
  } catch {
    // Storage that cannot be read holds nothing of ours.
  }
}

function hasEntries(owner: string): boolean {
  try {
    return keysOf(sessionStorage, owner, [entryPrefix]).length > 0
  } catch {
    return false
  }
}

const keysOf = (storage: Storage, owner: string, prefixes: string[]) =>
  Object.keys(storage).filter((key) => prefixes.some((prefix) => `${key}:`.startsWith(`${prefix}${owner}:`)))

// Only who writes or leaves needs it: it stays out of the first page.
const drafts = () => import('./editor/drafts.ts')
