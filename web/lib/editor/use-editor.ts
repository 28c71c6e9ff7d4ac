import { useEffect, useState, useSyncExternalStore } from 'react'
import { Manuscript, type Save, type Snapshot, type Stored } from './manuscript.ts'

interface Editing {
  /** The person, or the id of somebody without an account in this browser. */
  owner: string
  /** Unique among the person's texts, such as `diary/2025-06-10`. */
  place: string
  /** What is stored, undefined until it is known; a place that only sends has an empty one. */
  stored: Stored | undefined
  save: Save
}

export interface Editor extends Snapshot {
  change: (text: string) => void
  /** Answers whether the text is stored now; a failure stands in `error`, a conflict in `question`. */
  save: () => Promise<boolean>
  /** Answer the question; each leaves the text to be saved. */
  keepMine: () => Promise<void>
  takeTheirs: () => Promise<void>
  keepBoth: () => Promise<void>
  /** Leaves the question for later; nothing is saved till then. */
  putOff: () => void
}

/** What is stored in a place that only sends, such as a comment: nothing, before and after. */
export const emptyDraft: Stored = { text: '', version: null }

/** The text of one place that is never lost. The component is keyed by owner and place. */
export function useEditor({ owner, place, stored, save }: Editing): Editor {
  const [manuscript] = useState(() => new Manuscript(owner, place))
  const snapshot = useSyncExternalStore(manuscript.subscribe, manuscript.snapshot)
  const { text, version } = stored ?? {}

  useEffect(() => manuscript.open(), [manuscript])
  useEffect(() => {
    if (text !== undefined && version !== undefined) manuscript.setStored({ text, version })
  }, [manuscript, text, version])

  return {
    ...snapshot,
    change: (typed) => manuscript.change(typed),
    save: () => manuscript.save(save),
    keepMine: () => manuscript.keepMine(),
    takeTheirs: () => manuscript.takeTheirs(),
    keepBoth: () => manuscript.keepBoth(),
    putOff: () => manuscript.putOff(),
  }
}
