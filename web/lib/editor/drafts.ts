import { createStore, delMany, entries, set, type UseStore } from 'idb-keyval'
import { isLoggedOut } from '#web/lib/storage.ts'

/** A text that was typed and is not saved yet. Drafts are stored in IndexedDB. */
export interface Draft {
  text: string
  /** The stored version from which the edit started, null when nothing was stored. */
  base: string | null
}

/** Two tabs never have the same draft, so neither overwrites what is typed in the other. */
export type DraftKey = [owner: string, place: string, tab: string]

/** A draft, and the tab in which it was typed. */
export interface DraftOfTab extends Draft {
  tab: string
}

/** The drafts of a person for one place, of all tabs. */
export async function draftsOf(owner: string, place: string): Promise<DraftOfTab[]> {
  const drafts = await allDraftsOf(owner)
  return drafts.filter(([key]) => key[1] === place).map(([key, draft]) => ({ ...draft, tab: key[2] }))
}

/** The drafts of a person, of all places and tabs. */
export async function allDraftsOf(owner: string): Promise<[DraftKey, Draft][]> {
  const kept = await entries<DraftKey, Draft>(store())
  return kept.filter(([[ownerOfKey]]) => ownerOfKey === owner)
}

/** Stores a draft, except for a person who is logging out: the drafts of that person are being removed. */
export async function keepDraft(key: DraftKey, draft: Draft): Promise<void> {
  if (!isLoggedOut(key[0])) await set(key, draft, store())
}

export const forgetDrafts = (keys: DraftKey[]): Promise<void> => delMany(keys, store())

/** Whether this browser has drafts of a person. */
export async function hasDrafts(owner: string): Promise<boolean> {
  return (await allDraftsOf(owner)).length > 0
}

/** Removes all drafts of a person from this browser. */
export async function forgetDraftsOf(owner: string): Promise<void> {
  const drafts = await allDraftsOf(owner)
  await forgetDrafts(drafts.map(([key]) => key))
}

let opened: UseStore | undefined
const store = () => (opened ??= createStore('drafts', 'drafts'))
