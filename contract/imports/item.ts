import { type ImportCounts, noCounts, type PlannedProblem } from './counts.ts'

/** A part of a plan: one day with its entries, one other text, or entries that are not imported. */
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
