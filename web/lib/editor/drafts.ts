import { type DBSchema, type IDBPDatabase, type IDBPObjectStore, openDB } from 'idb'
import { isStoringStopped } from '#web/lib/storage.ts'
import type { Draft, DraftKey, DraftOfTab } from './draft.ts'
import { inTime } from './in-time.ts'

/**
 * The drafts of a person for one place, of all tabs. All other functions reject when the browser does not answer in time;
 * this one waits for as long as it takes.
 */
export async function draftsOf(owner: string, place: string): Promise<DraftOfTab[]> {
  const drafts = await readDrafts(owner)
  return drafts.filter(([key]) => key[1] === place).map(([key, draft]) => ({ ...draft, tab: key[2] }))
}

/** The drafts of a person, of all places and tabs. Rows that another program has written in another shape are left out. */
export const allDraftsOf = (owner: string): Promise<[DraftKey, Draft][]> => answered(readDrafts(owner))

async function readDrafts(owner: string): Promise<[DraftKey, Draft][]> {
  const { store } = (await database()).transaction('drafts')
  const [keys, drafts] = await Promise.all([store.getAllKeys(), store.getAll()])
  return keys.flatMap((key, index) =>
    key[0] === owner && isDraft(key, drafts[index]) ? [[key, drafts[index]!]] : [],
  )
}

const isDraft = (key: DraftKey, draft: Partial<Draft> | null | undefined) =>
  key.length === 3 && key.every((part) => typeof part === 'string') && typeof draft?.text === 'string'

/** Stores a draft. Throws for a person who is logging out, also in another tab: the drafts of that person are being removed. */
export const keepDraft = (key: DraftKey, draft: Draft): Promise<void> =>
  inTransaction(async (store) => {
    if (isStoringStopped(key[0])) throw new Error('The person has logged out')
    await store.put(draft, key)
  })

/**
 * Replaces a draft, or removes it when `next` is undefined, unless its text or base was changed since it was read. Returns
 * whether it was replaced.
 */
export const replaceDraft = (key: DraftKey, read: Draft, next: Draft | undefined): Promise<boolean> =>
  inTransaction(async (store) => {
    const kept = await store.get(key)
    const isAsRead = !isStoringStopped(key[0]) && kept?.text === read.text && kept.base === read.base
    if (isAsRead) await (next === undefined ? store.delete(key) : store.put(next, key))
    return isAsRead
  })

export const forgetDrafts = (keys: DraftKey[]): Promise<void> =>
  inTransaction(async (store) => void (await Promise.all(keys.map((key) => store.delete(key)))))

/** Whether this browser has drafts of a person. */
export async function hasDrafts(owner: string): Promise<boolean> {
  return (await allDraftsOf(owner)).length > 0
}

/** Removes all drafts of a person from this browser. */
export const forgetDraftsOf = (owner: string): Promise<void> =>
  inTransaction(async (store) => {
    const keys = await store.getAllKeys()
    await Promise.all(keys.filter((key) => key[0] === owner).map((key) => store.delete(key)))
  })

type Rows = DBSchema & { drafts: { key: DraftKey; value: Draft } }
type ChangedStore = IDBPObjectStore<Rows, ['drafts'], 'drafts', 'readwrite'>

const inTransaction = <Result>(work: (store: ChangedStore) => Promise<Result>): Promise<Result> => {
  const change = async () => {
    const { store, done } = (await database()).transaction('drafts', 'readwrite')
    const [result] = await Promise.all([work(store), done])
    return result
  }
  return answered(change())
}

/**
 * The browser may answer late, for instance while another tab is suspended in a transaction, or never, with a damaged
 * profile. A person can then write without drafts, and log out. What was asked is still done when the browser goes on.
 */
const answerWithinMs = 5000
export const answered = <Result>(work: Promise<Result>): Promise<Result> =>
  inTime(work, answerWithinMs, () => new Error('The drafts did not answer in time'))

let opened: Promise<IDBPDatabase<Rows>> | undefined

// Never raise the version: a tab of an older program has the database open, and would block the new version.
function database(): Promise<IDBPDatabase<Rows>> {
  const forgetIt = () => void (opened = undefined)
  opened ??= openDB<Rows>('drafts', 1, {
    upgrade: (created) => void created.createObjectStore('drafts'),
    terminated: forgetIt,
  })
  opened.catch(forgetIt)
  return opened
}
