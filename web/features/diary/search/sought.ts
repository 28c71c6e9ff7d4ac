import { useSyncExternalStore } from 'react'

// What a person types is in the memory of the page alone. The address would carry it to the server at the next load.

let sought = { owner: '', query: '' }
const watching = new Set<() => void>()

/** What a person looks for in the own diary. Nobody else gets it. */
export const soughtBy = (owner: string): string => (sought.owner === owner ? sought.query : '')

export function seek(owner: string, query: string): void {
  sought = { owner, query }
  for (const changed of watching) changed()
}

export const useSought = (owner: string): string => useSyncExternalStore(watch, () => soughtBy(owner))

function watch(changed: () => void) {
  watching.add(changed)
  return () => void watching.delete(changed)
}
