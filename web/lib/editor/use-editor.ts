import { useEffect, useState, useSyncExternalStore } from 'react'
import { Manuscript } from './manuscript.ts'
import { ConflictError, type Save, type StoredText } from './save.ts'
import type { Snapshot } from './snapshot.ts'

interface Editing {
  /** The person, or the id of somebody without an account in this browser. */
  owner: string
  /** Unique among the person's texts, such as `kind/2025-06-10`. */
  place: string
  /** Undefined until it is loaded. A text that is sent and then gone, such as a comment, has `nothingStored`. */
  stored: StoredText | undefined
  save: Save
  /** Whether a text that cannot be saved now is sent later, also when the page is closed meanwhile. */
  sendsLater?: boolean
  /** Called with each failure of a save that the person asked for, except a conflict. */
  onFailed?: (error: unknown) => void
  /** An unsaved text that the caller keeps outside of the drafts. It is read once, when the editor opens. */
  unsavedCopy?: string | undefined
}

export interface Editor
  extends
    Snapshot,
    Pick<
      Manuscript,
      'change' | 'keepThis' | 'takeOther' | 'keepBoth' | 'postponeConflict' | 'draftWritten' | 'saving'
    > {
  /**
   * Returns whether the text is stored now. If not, `error` has the failure or `conflict` the other version. `by` takes the place of
   * the `save` of the editor for this call, such as a submission in place of saving a draft. Such a save is not sent later.
   */
  save: (by?: Save) => Promise<boolean>
}

/** What is stored of a text that is only sent, such as a comment: nothing, before and after. */
export const nothingStored: StoredText = { text: '', version: null }

/** Edits the text of one place and keeps each change in this browser. The component is keyed by owner and place. */
export function useEditor(editing: Editing): Editor {
  const { owner, place, stored, save, sendsLater = false, onFailed, unsavedCopy } = editing
  const [manuscript] = useState(() => new Manuscript(owner, place, unsavedCopy))
  const snapshot = useSyncExternalStore(manuscript.subscribe, manuscript.snapshot)
  const { text, version } = stored ?? {}

  useEffect(() => manuscript.restoreDrafts(), [manuscript])
  useEffect(() => {
    if (text !== undefined && version !== undefined) manuscript.setStored({ text, version })
  }, [manuscript, text, version])

  useEffect(() =>
    manuscript.setRetry(async () => {
      let failure: unknown = null
      const saveAgain: Save = (content, base) =>
        save(content, base).catch((error: unknown) => {
          failure = error
          throw error
        })
      await manuscript.save(saveAgain, { sendsLater, isRetry: true })
      return failure
    }),
  )

  return {
    ...snapshot,
    change: (typed) => manuscript.change(typed),
    save: (by) =>
      manuscript.save(
        (content, base) =>
          (by ?? save)(content, base).catch((error: unknown) => {
            if (!(error instanceof ConflictError)) onFailed?.(error)
            throw error
          }),
        { sendsLater: sendsLater && by === undefined },
      ),
    get saving() {
      return manuscript.saving
    },
    draftWritten: () => manuscript.draftWritten(),
    keepThis: () => manuscript.keepThis(),
    takeOther: () => manuscript.takeOther(),
    keepBoth: () => manuscript.keepBoth(),
    postponeConflict: () => manuscript.postponeConflict(),
  }
}
