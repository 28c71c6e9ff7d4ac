import { ImportRefused } from './refused.ts'

/** A file in a ZIP or a folder. */
export interface RawFile {
  path: string
  /** Its bytes. Refuses the import when they are more than `maxBytes`. */
  read: (maxBytes: number) => Promise<Uint8Array>
}

export const tooLarge = (path: string): ImportRefused =>
  new ImportRefused(`${path.slice(0, 200)} is too large to be read.`)
