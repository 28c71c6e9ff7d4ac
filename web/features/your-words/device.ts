import { diaryDate } from '#contract/diary/dates.ts'
import { forgetSavedDays } from '#web/features/diary/index.ts'
import { amountsOf, type Amount, programFiles, sizeOf } from '#web/lib/device/contents.ts'
import { openBucket } from '#web/lib/device/bucket.ts'
import { bucketName, forgetKept } from '#web/lib/device/database.ts'
import { allDraftsOf, bucketOf, forgetDraftsOf } from '#web/lib/editor/drafts.ts'
import { keysBucketOf } from '#web/lib/kept-keys.ts'

export interface DeviceContents {
  amounts: readonly Amount[]
  /** The typed texts that are not saved, by the names that the person knows. */
  unsaved: readonly string[]
  /** Whether the browser has promised not to remove it by itself; null when it cannot be asked. */
  isPersisted: boolean | null
}

/** What this device keeps of a person, for the list in the settings. */
export async function deviceContents(owner: string): Promise<DeviceContents> {
  const [kept, drafts, program, persisted] = await Promise.all([
    amountsOf(owner, ['diary', 'notes']),
    allDraftsOf(owner),
    programFiles(),
    isPersisted(owner),
  ])
  const typed = { kind: 'drafts', count: drafts.length, bytes: sizeOf(drafts.map(([, draft]) => draft)) }
  return {
    amounts: [...kept, typed, program].filter(({ count }) => count > 0),
    unsaved: drafts.map(([[, place]]) => nameOf(place)),
    isPersisted: persisted,
  }
}

/** Removes the copies of saved texts, and the unsaved texts when the person has said so. */
export async function removeFromDevice(owner: string, unsavedToo: boolean): Promise<void> {
  await forgetKept()
  forgetSavedDays(owner)
  if (unsavedToo) await forgetDraftsOf(owner)
}

export async function askToPersist(owner: string): Promise<boolean> {
  const answers = await Promise.all((await storagesOf(owner)).map((storage) => storage.persist()))
  return answers.length > 0 && answers.every(Boolean)
}

async function isPersisted(owner: string): Promise<boolean | null> {
  const answers = await Promise.all((await storagesOf(owner)).map((storage) => storage.persisted()))
  return answers.length === 0 ? null : answers.every(Boolean)
}

/** Where the browser keeps something of the person. Empty on plain http. */
async function storagesOf(owner: string) {
  const buckets = await Promise.all([bucketName, bucketOf(owner), keysBucketOf(owner)].map(openBucket))
  return [(navigator as Partial<Navigator>).storage, ...buckets].filter((storage) => storage !== undefined)
}

function nameOf(place: string): string {
  const [kind, id = ''] = place.split('/')
  if (kind === 'diary') return `the diary of ${diaryDate(id)}`
  if (kind === 'notes') return `the note of ${diaryDate(id)}`
  return names.get(kind!) ?? 'another text'
}

const names = new Map([
  ['draft', 'a post'],
  ['post', 'a post'],
  ['message', 'a message'],
  ['room', 'a passage'],
  ['aside', 'a line in the talk at a table'],
  ['comment', 'a comment'],
  ['competition', 'a competition entry'],
])
