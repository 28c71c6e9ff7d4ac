import type { Manuscript } from './manuscript.ts'

/** The texts that are in an editor of this tab. */
export const openManuscripts = new Set<Manuscript>()

const listeners = new Set<() => void>()

/** Calls the listener when a text has begun to wait for the server, or waits no more. */
export function onUnsent(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function tellUnsent(): void {
  for (const listener of listeners) listener()
}
