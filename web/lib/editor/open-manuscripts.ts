import type { RequestedSave } from './draft.ts'

/** What is known of a text in an editor by code that sends unsent texts. */
interface OpenManuscript {
  readonly owner: string
  readonly place: string
  /** The save to repeat by `retry`. */
  readonly saveToRetry: RequestedSave | undefined
  /** The running save. */
  readonly saving: Promise<boolean> | null
  /** Saves again without the person. Resolves to the failure, or null. */
  readonly retry: () => Promise<unknown>
  readonly snapshot: () => { text: string }
}

/** The texts that are in an editor of this tab. */
export const openManuscripts = new Set<OpenManuscript>()

const listeners = new Set<() => void>()

/** Calls the listener when a text may have become an unsent text, or is one no more. */
export function onUnsentChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function announceUnsentChange(): void {
  for (const listener of listeners) listener()
}
