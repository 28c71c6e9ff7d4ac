import { type IDBPDatabase, openDB } from 'idb'
import { isStoringStopped } from '#web/lib/storage.ts'
import type { Draft, DraftKey, DraftOfTab } from './draft.ts'

/** The drafts of a person for one place, of all tabs. */
export async function draftsOf(owner: string, place: string): Promise<DraftOfTab[]> {
  const drafts = await allDraftsOf(owner)
  return drafts.filter(([key]) => key[1] === place).map(([key, draft]) => ({ ...draft, tab: key[2] }))
}

/** The drafts of a person, of all places and tabs. Rows that another program has written in another shape are left out. */
export async function allDraftsOf(owner: string): Promise<[DraftKey, Draft][]> {
  const { store } = (await database()).transaction('drafts')
  const [keys, drafts] = await Promise.all([store.getAllKeys(), store.getAll()])
  return keys.flatMap((key, index) =>
    key[0] === owner && isDraft(key, drafts[index]) ? [[key, drafts[index]!]] : [],
  )
}

const isDraft = (key: DraftKey, draft: Partial<Draft> | null | undefined) =>
  key.length === 3 && key.every((part) => typeof part === 'string') && typeof draft?.text === 'string'

/** Stores a draft. Throws for a person who logs out in some tab, because the drafts of that person are being removed. */
export async function keepDraft(key: DraftKey, draft: Draft): Promise<void> {
  const drafts = await database()
  if (isStoringStopped(key[0])) throw new Error('The person has logged out')
  await drafts.put('drafts', draft, key)
}

/**
 * Replaces a draft, or removes it when `next` is undefined, unless its text or base was changed since it was read. Returns
 * whether it was replaced.
 */
export async function replaceDraft(key: DraftKey, read: Draft, next: Draft | undefined): Promise<boolean> {
  const { store, done } = (await database()).transaction('drafts', 'readwrite')
  const kept = await store.get(key)
  const isAsRead = !isStoringStopped(key[0]) && kept?.text === read.text && kept.base === read.base
  if (isAsRead) await (next === undefined ? store.delete(key) : store.put(next, key))
  await done
  return isAsRead
}

export async function forgetDrafts(keys: DraftKey[]): Promise<void> {
  const { store, done } = (await database()).transaction('drafts', 'readwrite')
  await Promise.all([...keys.map((key) => store.delete(key)), done])
}

/** Whether this browser has drafts of a person. */
export async function hasDrafts(owner: string): Promise<boolean> {
  return (await allDraftsOf(owner)).length > 0
}

/** Removes all drafts of a person from this browser. */
export async function forgetDraftsOf(owner: string): Promise<void> {
  const keys = await (await database()).getAllKeys('drafts')
  await forgetDrafts(keys.filter((key) => key[0] === owner))
}

type Drafts = IDBPDatabase<{ drafts: { key: DraftKey; value: Draft } }>

let opened: Promise<Drafts> | undefined
/** Browsers with a damaged profile may never answer. A person can then write without drafts, and log out. */
const openWithinMs = 5000

// Never raise the version: a tab of an older program has the database open, and would block the new version.
function database(): Promise<Drafts> {
  const forgetIt = () => void (opened = undefined)
  opened ??= Promise.race([
    openDB<{ drafts: { key: DraftKey; value: Draft } }>('drafts', 1, {
      upgrade: (created) => void created.createObjectStore('drafts'),
      terminated: forgetIt,
    }),
    new Promise<never>((_resolve, reject) => {
      setTimeout(() => reject(new Error('The drafts could not be opened in time')), openWithinMs)
    }),
  ])
  opened.catch(forgetIt)
  return opened
}
