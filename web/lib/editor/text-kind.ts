import type { QueryClient } from '@tanstack/react-query'
import type { Save } from './save.ts'

/** A kind of texts that an account stores. Their drafts can be saved without an editor. */
export interface TextKind {
  /** The beginning of the place of each draft: `letter` for `letter/2025-06-10`. */
  prefix: string
  /** The words for one text and for several. */
  nouns: [one: string, several: string]
  /** `key` is the rest of the place. */
  nameOf: (key: string, text: string) => string
  /** The address of the page on which the text is written. */
  pathOf: (client: QueryClient, key: string) => string
  /** Saves without the page of the text, and adds what is stored to the cache. */
  saveOf: (client: QueryClient, owner: string, key: string) => Save
}

/** The kind of the text that a draft belongs to, and its key. Undefined for texts that are only sent, such as messages. */
export function kindOfPlace(kinds: TextKind[], place: string): { kind: TextKind; key: string } | undefined {
  const at = place.indexOf('/')
  const kind = kinds.find(({ prefix }) => prefix === place.slice(0, at))
  return kind && { kind, key: place.slice(at + 1) }
}
