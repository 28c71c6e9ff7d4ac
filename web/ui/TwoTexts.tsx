import type { RefObject } from 'react'
import { failedDialog, part } from './part.tsx'

export interface Conflict {
  here: string
  other: string
  isSaved: boolean
}

export interface TwoTextsProps {
  /** The two versions, and the functions that end their conflict. */
  editor: {
    conflict: Conflict | null
    keepThis: () => Promise<void>
    takeOther: () => Promise<void>
    keepBoth: () => Promise<void>
    postponeConflict: () => void
  }
  /** The field of the text. It gets the focus when both versions are kept, because a person goes on writing in it. */
  field?: RefObject<HTMLElement | null>
  /** Keeps the text of this page instead of the saved one. */
  onKeptThis?: () => void
}

/** Shows two versions of a text and lets the writer choose. Without a conflict nothing is loaded. */
export function TwoTexts(props: TwoTextsProps) {
  const { conflict, postponeConflict } = props.editor
  return conflict && <TwoTextsDialog {...props} conflict={conflict} onClose={postponeConflict} />
}

const TwoTextsDialog = part(async () => (await import('./TwoTextsDialog.tsx')).TwoTextsDialog, failedDialog)
