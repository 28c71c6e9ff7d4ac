import { cached } from '#web/lib/cached.ts'
import type { LocalDiary, LocalEntry } from './local-diary.ts'

/**
 * The days of an account that the tabs of this browser have saved since this page was opened, and the unsaved texts of this
 * page. They are in memory alone: what is removed from the local storage stays in the files of the browser (decision 45).
 */
export type PageDiary = Omit<LocalDiary, 'isEmpty'>

/** Returns the same object for the same owner. */
export function pageDiary(owner: string): PageDiary {
  otherTabs ??= listen()
  return diaryOf(owner)
}

/** For tests, which share one page. */
export const forgetPageDiaries = (): void => diaries.clear()

interface SavedDay {
  owner: string
  entry: LocalEntry
}

let otherTabs: BroadcastChannel | undefined
const diaries = new Map<string, ReturnType<typeof diaryInMemory>>()
const diaryOf = (owner: string) => cached(diaries, owner, () => diaryInMemory(owner))

function listen() {
  const channel = new BroadcastChannel('diary-days')
  channel.onmessage = ({ data }: MessageEvent<SavedDay>) => diaryOf(data.owner).take(data.entry)
  return channel
}

function diaryInMemory(owner: string) {
  const entries = new Map<string, LocalEntry>()
  let changes = 0
  const put = (entry: LocalEntry) => {
    entries.set(entry.date, entry)
    changes++
  }
  return {
    read: (day: string) => entries.get(day),
    write: (_day: string, entry: LocalEntry) => {
      put(entry)
      if (entry.saved) otherTabs?.postMessage({ owner, entry } satisfies SavedDay)
      return true
    },
    /** Takes what another tab has saved, unless this page has an unsaved or a later text of the day. */
    take: (entry: LocalEntry) => {
      const known = entries.get(entry.date)
      if (known && (!known.saved || (known.updated_at ?? '') > (entry.updated_at ?? ''))) return
      put(entry)
    },
    remove: (day: string) => {
      entries.delete(day)
      changes++
    },
    all: () => [...entries.values()].toSorted((one, other) => (one.date < other.date ? -1 : 1)),
    version: () => String(changes),
  }
}
