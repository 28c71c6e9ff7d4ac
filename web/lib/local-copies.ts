import { removeBucket } from './device/bucket.ts'
import { forgetKept, removeDatabase } from './device/database.ts'
import { answered, forgetDraftsOf, hasDrafts } from './editor/drafts.ts'
import { keysBucketOf } from './kept-keys.ts'
import type { LoadOnlyCopies } from './only-copies-context.ts'
import { readKey } from './session-keys.ts'
import { keysOfPerson, loggedOutIds, markLoggedOut, removeStored, stopStoring } from './storage.ts'

// This file is loaded when a person logs out or deletes the account, and after that.

/** Whether this browser has a text of these people that is saved nowhere else. Rejects when a file of the page is missing. */
export async function hasUnsavedText(owners: string[], loadOnlyCopies: LoadOnlyCopies): Promise<boolean> {
  const { onlyCopyChecks } = await loadOnlyCopies()
  if (onlyCopyChecks.some((hasOnlyCopy) => owners.some(hasOnlyCopy))) return true
  // A database that cannot be opened contains no drafts.
  const has = await Promise.all(owners.map((owner) => hasDrafts(owner).catch(() => false)))
  return has.includes(true)
}

/** Removes everything that this browser stores for a person (S48). */
export async function removeLocalCopies(personId: string): Promise<void> {
  stopStoring(personId)
  markLoggedOut(personId)
  await removeKeysAndDrafts(personId)
  await removeDatabase()
}

/** Finishes log-outs that have ended early, because the browser was closed or its storage did not answer. */
export async function finishLogOuts(): Promise<void> {
  const current = readKey('userId')
  for (const id of loggedOutIds()) if (id !== current) await removeKeysAndDrafts(id)
  if (current === null) await forgetKept().catch(() => {})
}

async function removeKeysAndDrafts(personId: string) {
  for (const area of ['localStorage', 'sessionStorage'] as const)
    for (const key of keysOfPerson(area, personId)) removeStored(area, key)
  await Promise.allSettled([answered(removeBucket(keysBucketOf(personId))), forgetDraftsOf(personId)])
}
