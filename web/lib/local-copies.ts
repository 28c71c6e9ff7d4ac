import { hasGuestDays } from './guest-days.ts'

/** Keys under which a person's own texts are kept in this browser begin so, followed by the person's id. */
export const localCopyPrefixes = ['diary:', 'notes:', 'post-draft:'] as const

/** Whether this browser holds text of one of these people that is saved nowhere. */
export async function hasUnsavedText(owners: string[]): Promise<boolean> {
  if (hasGuestDays()) return true
  const { hasDrafts } = await drafts()
  const has = await Promise.all(owners.map((owner) => hasDrafts(owner).catch(() => false)))
  return has.includes(true)
}

/** Removes what this browser keeps for a person: signing out leaves nothing behind (S48). */
export async function removeLocalCopies(personId: string): Promise<void> {
  try {
    for (const key of Object.keys(localStorage)) {
      if (localCopyPrefixes.some((prefix) => `${key}:`.startsWith(`${prefix}${personId}:`)))
        localStorage.removeItem(key)
    }
    const { forgetDraftsOf } = await drafts()
    await forgetDraftsOf(personId)
  } catch {
    // Storage that cannot be read holds nothing of ours.
  }
}

// Only who writes or leaves needs it: it stays out of the first page.
const drafts = () => import('./editor/drafts.ts')
