/**
 * A text that was typed and is not saved yet. Drafts are stored in IndexedDB. A tab with an older program knows no optional
 * field: it leaves the drafts of other tabs as they are, and writes its own drafts without these fields.
 */
export interface Draft {
  text: string
  /** The stored version from which the edit started, null when nothing was stored. */
  base: string | null
  /** The save that the person has asked for, until the server has the text. Stored drafts have it under this name. */
  waiting?: RequestedSave
}

/** Two tabs never have the same draft, so neither overwrites what is typed in the other. */
export type DraftKey = [owner: string, place: string, tab: string]

/** A draft, and the tab in which it was typed. */
export interface DraftOfTab extends Draft {
  tab: string
}

/** A save that the person asked for, and that has not succeeded yet. It is stored with the draft, so that it outlives the page. */
export interface RequestedSave {
  /** When the person first asked. */
  since: string
  /** The text that was sent last and not answered: the server may have stored it. The next attempt repeats it first. */
  sent?: string
  /** Another text is stored. The save is not repeated before the person has chosen. */
  hasConflict?: true
  /** Why the server does not take the text, as its sentence. The save is not repeated. */
  refusal?: string
}
