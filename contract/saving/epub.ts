import { strToU8, type ZippableFile, zipSync } from 'fflate'
import { bookFiles } from './book.ts'
import type { BookMetadata, SavedText } from './saved-text.ts'

/** A text as a book. The same text has the same bytes. */
export function asEpub(text: SavedText & { book: BookMetadata }): Uint8Array<ArrayBuffer> {
  const files = Object.entries(bookFiles(text, text.book)).map(([name, content]): [string, ZippableFile] => [
    name,
    [strToU8(content), { level: name === 'mimetype' ? 0 : 6 }],
  ])
  // A zip keeps times of the local clock, without a zone.
  return zipSync(Object.fromEntries(files), { mtime: new Date(1980, 0, 1) })
}
