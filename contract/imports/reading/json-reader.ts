import type { ReadElement } from './json-scanner.ts'

/** Reads the elements of one JSON file. */
export interface JsonReader {
  add: (read: ReadElement) => void
  /** Is called with all that stands outside the list of elements. */
  end?: (rest: unknown) => void
}

/** Leads from the name of a picture, such as `photos/1f3a`, with or without its extension, to its path in the import. */
export type FileOf = (name: string) => string | undefined
