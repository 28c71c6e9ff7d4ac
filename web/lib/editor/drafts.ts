import { createStore, del, delMany, entries, set, type UseStore } from 'idb-keyval'

/** Text that was typed and that nobody has confirmed yet. */
export interface Draft {
  text: string
  /** The version of the stored text it grew from, null for none. */
  base: string | null
}

/** Whose text it is, where it is written, and in which tab. */
export type DraftKey = [owner: string, place: string, tab: string]

/** A draft and the tab it was typed in. */
export interface DraftOfTab extends Draft {
  tab: string
}

/** All drafts of a person for a place, of every tab. */
export async function draftsOf(owner: string, place: string): Promise<DraftOfTab[]> {
  const kept = await entries<DraftKey, Draft>(store())
  return kept
    .filter(([key]) => key[0] === owner && key[1] === place)
    .map(([key, draft]) => ({ ...draft, tab: key[2] }))
}

export const keepDraft = (key: DraftKey, draft: Draft): Promise<void> => set(key, draft, store())

export const forgetDraft = (key: DraftKey): Promise<void> => del(key, store())

/** Whether this browser holds text of a person that is saved nowhere. */
export async function hasDrafts(owner: string): Promise<boolean> {
  return (await keysOf(owner)).length > 0
}

/** Removes all that a person typed here and did not save. */
export async function forgetDraftsOf(owner: string): Promise<void> {
  await delMany(await keysOf(owner), store())
}

async function keysOf(owner: string): Promise<DraftKey[]> {
  const kept = await entries<DraftKey, Draft>(store())
  return kept.map(([key]) => key).filter(([ownerOfKey]) => ownerOfKey === owner)
}

let opened: UseStore | undefined
const store = () => (opened ??= createStore('drafts', 'drafts'))
