import { type ImportCounts, noCounts, type PlannedProblem } from './counts.ts'

/** A day of a file with all its entries, or one other text: what becomes of it, and what is written for it. */
export interface ImportItem<Write> {
  counts: ImportCounts
  problems: PlannedProblem[]
  write: Write | undefined
}

/** Entries that are not written, for a reason. */
export const skippedItem = (places: readonly string[], reason: string): ImportItem<never> => ({
  counts: { ...noCounts(), skipped: places.length },
  problems: places.map((place) => ({ kind: 'skipped', place, reason })),
  write: undefined,
})
