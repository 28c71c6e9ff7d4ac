import type { Draft } from './draft.ts'

/** What is stored of a text: on the server, or for a guest in `localStorage`. The version is an instant, null while nothing is stored. */
export interface StoredText {
  text: string
  version: string | null
}

/** Thrown by a `Save` whose base is not the stored version any more. The save has stored nothing. */
export class ConflictError extends Error {
  readonly current: StoredText

  /** The cause is the refusal of the server. */
  constructor(current: StoredText, cause?: unknown) {
    super('The text was changed elsewhere since this edit started', { cause })
    this.current = current
  }
}

/** Saves a text whose edit started from the version `base`. Throws `ConflictError` when another version is stored. */
export type Save = (text: string, base: string | null) => Promise<StoredText>

/**
 * Saves a text. When an earlier attempt has stored it and its answer was lost, the server answers a conflict with this very text: that
 * is a success.
 */
export async function saveOnce(save: Save, text: string, base: string | null): Promise<StoredText> {
  try {
    return await save(text, base)
  } catch (error) {
    if (error instanceof ConflictError && error.current.text === text) return error.current
    throw error
  }
}

export interface SaveOptions {
  /** After a failure that passes, the text is sent later, also when the page is closed meanwhile. */
  sendsLater?: boolean
  /** The person has not asked for this attempt: the state does not become `saving`. */
  isRetry?: boolean
}

export const isStoredText = (other: StoredText | Draft): other is StoredText => 'version' in other
