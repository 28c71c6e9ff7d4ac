import type { DBSchema, IDBPDatabase, IDBPObjectStore } from 'idb'
import { cached } from '#web/lib/cached.ts'
import { openBucket, openIn, removeBucket } from '#web/lib/device/bucket.ts'
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
  const found = (await databasesOf(owner)).map(async (database): Promise<[DraftKey, Draft][]> => {
    const { store } = database.transaction('drafts')
    const [keys, drafts] = await Promise.all([store.getAllKeys(), store.getAll()])
    return keys.flatMap((key, index) =>
      key[0] === owner && isDraft(key, drafts[index]) ? [[key, drafts[index]!]] : [],
    )
  })
  return (await Promise.all(found)).flat()
}

const isDraft = (key: DraftKey, draft: Partial<Draft> | null | undefined) =>
  key.length === 3 && key.every((part) => typeof part === 'string') && typeof draft?.text === 'string'

/** Stores a draft. Throws for a person who is logging out, also in another tab: the drafts of that person are being removed. */
export const keepDraft = (key: DraftKey, draft: Draft): Promise<void> =>
  answered(
    databasesOf(key[0]).then(([database]) =>
      change(database!, async (store) => {
        if (isStoringStopped(key[0])) throw new Error('The person has logged out')
        await store.put(draft, key)
      }),
    ),
  )

/**
 * Replaces a draft, or removes it when `next` is undefined, unless its text or base was changed since it was read. Returns
 * whether it was replaced.
 */
export async function replaceDraft(key: DraftKey, read: Draft, next: Draft | undefined): Promise<boolean> {
  const replaced = await changeAll(key[0], async (store) => {
    const kept = await store.get(key)
    const isAsRead = !isStoringStopped(key[0]) && kept?.text === read.text && kept.base === read.base
    if (isAsRead) await (next === undefined ? store.delete(key) : store.put(next, key))
    return isAsRead
  })
  return replaced.includes(true)
}

/** The drafts are those of one person. */
export async function forgetDrafts(keys: DraftKey[]): Promise<void> {
  await changeAll(keys[0]![0], (store) => Promise.all(keys.map((key) => store.delete(key))))
}

export async function hasDrafts(owner: string): Promise<boolean> {
  return (await allDraftsOf(owner)).length > 0
}

export async function forgetDraftsOf(owner: string): Promise<void> {
  try {
    await changeAll(owner, async (store) => {
      const keys = await store.getAllKeys()
      await Promise.all(keys.filter((key) => key[0] === owner).map((key) => store.delete(key)))
    })
  } finally {
    // Also where another tab stays in a transaction, which this ends.
    opened.delete(bucketOf(owner))
    await answered(removeBucket(bucketOf(owner)))
  }
}

type Rows = DBSchema & { drafts: { key: DraftKey; value: Draft } }
type ChangedStore = IDBPObjectStore<Rows, ['drafts'], 'drafts', 'readwrite'>

const changeAll = <Result>(
  owner: string,
  work: (store: ChangedStore) => Promise<Result>,
): Promise<Result[]> =>
  answered(databasesOf(owner).then((all) => Promise.all(all.map((database) => change(database, work)))))

async function change<Result>(
  database: IDBPDatabase<Rows>,
  work: (store: ChangedStore) => Promise<Result>,
): Promise<Result> {
  const { store, done } = database.transaction('drafts', 'readwrite')
  const [result] = await Promise.all([work(store), done])
  return result
}

/**
 * The browser may answer late, for instance while another tab is suspended in a transaction, or never, with a damaged
 * profile. A person can then write without drafts, and log out. What was asked is still done when the browser goes on.
 */
const answerWithinMs = 5000
export const answered = <Result>(work: Promise<Result>): Promise<Result> =>
  inTime(work, answerWithinMs, () => new Error('The drafts did not answer in time'))

export const bucketOf = (owner: string): string => `drafts-${owner}`

/**
 * Where the drafts of a person are: in a bucket of the person, which leaves nothing when it is removed. Then in the storage
 * of the site, if an older program has written them there, and where the browser has no buckets.
 */
async function databasesOf(owner: string): Promise<IDBPDatabase<Rows>[]> {
  const bucket = await openBucket(bucketOf(owner))
  if (bucket === undefined) return [await database('', indexedDB)]
  hasOlder ??= indexedDB.databases().then((all) => all.some(({ name }) => name === databaseName))
  const own = database(bucketOf(owner), bucket.indexedDB)
  return Promise.all((await hasOlder) ? [own, database('', indexedDB)] : [own])
}

const databaseName = 'drafts'
/** By the name of the bucket, '' for the storage of the site. */
const opened = new Map<string, Promise<IDBPDatabase<Rows>>>()
let hasOlder: Promise<boolean> | undefined

// Never raise the version: a tab of an older program has the database open, and would block the new version.
const database = (bucket: string, factory: IDBFactory): Promise<IDBPDatabase<Rows>> =>
  cached(opened, bucket, () => {
    const forgetIt = () => void opened.delete(bucket)
    const opening = openIn<Rows>(factory, databaseName, 1, {
      create: (created) => void created.createObjectStore('drafts'),
      onClosed: forgetIt,
    })
    opening.catch(forgetIt)
    return opening
  })
