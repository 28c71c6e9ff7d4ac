import type { ImportedFile } from '#contract/imports/entry.ts'
import { readImport } from '#contract/imports/read-import.ts'

export type Content = string | Uint8Array<ArrayBuffer>

export const aBlob = (content: Content): Blob => new Blob([content])

/** Imports a ZIP, or files of a folder by their paths. */
export function importOf(files: Record<string, Content> | Buffer<ArrayBuffer>): Promise<ImportedFile> {
  if (Buffer.isBuffer(files)) return readImport([{ name: 'export.zip', blob: aBlob(files) }])
  return readImport(Object.entries(files).map(([name, content]) => ({ name, blob: aBlob(content) })))
}

/** How many things the import found. It must be the number that the writer of a sample counted. */
export const countOf = ({ entries, notUnderstood, skipped }: ImportedFile): number =>
  entries.length + notUnderstood.length + skipped.length
