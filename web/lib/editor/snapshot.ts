/** The table at `Manuscript` explains the states. */
export type EditorState =
  'loading' | 'unchanged' | 'changed' | 'draftStored' | 'draftFailed' | 'saving' | 'saved' | 'failed'

/** Two versions of one text. The writer decides which one stays. */
interface TextConflict {
  here: string
  other: string
  /** Whether the other version is saved. If not, it is the draft of a closed tab. */
  isSaved: boolean
}

export interface Snapshot {
  text: string
  state: EditorState
  savedAt: Date | null
  error: unknown
  /** While it is set, `save` does nothing. Drafts are still written. */
  conflict: TextConflict | null
  /** Whether at least one other open tab has a draft of this text. */
  hasDraftInOtherTab: boolean
  /** Whether the person has asked to save, and the text is sent as soon as the server can be reached. */
  isSentLater: boolean
}

/** Of an editor that is being opened. */
export const emptySnapshot: Snapshot = {
  text: '',
  state: 'loading',
  savedAt: null,
  error: null,
  conflict: null,
  hasDraftInOtherTab: false,
  isSentLater: false,
}
