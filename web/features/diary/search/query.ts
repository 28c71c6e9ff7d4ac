import { useSyncExternalStore } from 'react'

// The query is in the memory of the page alone. The address would carry it to the server at the next load.

let typed = { owner: '', query: '' }
const watching = new Set<() => void>()

/** What a person has typed in the search of the own diary. It is empty for all other people. */
export const typedQueryOf = (owner: string): string => (typed.owner === owner ? typed.query : '')

export function setQuery(owner: string, query: string): void {
  typed = { owner, query }
  for (const changed of watching) changed()
}

export const useDiaryQuery = (owner: string): string => useSyncExternalStore(watch, () => typedQueryOf(owner))

function watch(changed: () => void) {
  watching.add(changed)
  return () => void watching.delete(changed)
}
