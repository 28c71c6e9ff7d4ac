import { useSyncExternalStore } from 'react'

/** The marks of people, kept until the page is loaded again. Nothing of them is sent. */
interface Marks {
  followed: ReadonlySet<string>
  /** Ids of opened profiles, the last opened at the end. */
  opened: readonly string[]
}

let marks: Marks = { followed: new Set(), opened: [] }
const listeners = new Set<() => void>()

const marksNow = () => marks

export const useMarks = () => useSyncExternalStore(subscribe, marksNow, marksNow)

export function toggleFollow(id: string) {
  const followed = new Set(marks.followed)
  if (!followed.delete(id)) followed.add(id)
  change({ ...marks, followed })
}

export const markOpened = (id: string) =>
  change({ ...marks, opened: [...marks.opened.filter((other) => other !== id), id] })

export const forgetMarks = () => change({ followed: new Set(), opened: [] })

function change(next: Marks) {
  marks = next
  listeners.forEach((listener) => listener())
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
