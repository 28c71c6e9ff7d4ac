/**
 * A text that was typed and is not saved yet. Drafts are stored in IndexedDB. A tab with an older program knows no optional
 * field: it leaves the drafts of other tabs as they are, and writes its own drafts without these fields.
 */
export interface Draft {
  text: string
  /** The stored version from which the edit started, null when nothing was stored. */
  base: string | null
  /** Set from the moment when the person asks to save until the server has the text. */
  waiting?: RequestedSave
}

/** Two tabs never have the same draft, so neither overwrites what is typed in the other. */
export type DraftKey = [owner: string, place: string, tab: string]

/** A draft, and the tab in which it was typed. */
export interface DraftOfTab extends Draft {
  tab: string
}

/** A save that the person asked for, and that the server has not answered yet. It is a part of the draft. */
export interface RequestedSave {
  /** When the person first asked. */
  since: string
  /** The text that was sent last and not answered: the server may have stored it. The next attempt repeats it first. */
  sent?: string
  /** Another text is stored, and the person has to choose. The draft is not sent before. */
  hasConflict?: true
  /** Why the server does not take the text: its sentence. The draft is not sent any more. */
  refusal?: string
}
