import type { ImportCounts } from '#contract/imports/counts.ts'
import type { PlannedProblem } from '#contract/imports/item.ts'
import type { ImportFormat } from '#contract/imports/entry.ts'

/** Why an import waits. It goes on by itself, or after a new sign-in. */
export type Pause = 'offline' | 'busy' | 'signed-out'

/** What an import will do, or what it did. */
export interface ImportResult {
  format: ImportFormat
  counts: ImportCounts
  /** How many texts are written, by what they become. */
  writes: Record<'diary' | 'calendar' | 'draft' | 'document', number>
  /** The first ones. */
  problems: PlannedProblem[]
  problemCount: number
  /** All of it as a text. */
  report: Blob
}

export type ImportState =
  | { step: 'reading'; done: number; of: number }
  | { step: 'comparing'; pause: Pause | null }
  | { step: 'preview'; result: ImportResult }
  | { step: 'importing'; done: number; of: number; pause: Pause | null }
  | { step: 'done'; result: ImportResult }
  | { step: 'refused'; reason: string }

export const importFailed =
  'The import failed. What it had saved stays. Please try it again: nothing is added twice.'

export interface ChosenFile {
  name: string
  blob: Blob
}

export type ToImportWorker = { read: ChosenFile[]; personId: string } | 'apply' | 'continue'
