import { type ImportCounts, noCounts } from './counts.ts'

/** What a person should know of a place in a file. A note names what is left out of a text that is imported. */
export interface PlannedProblem {
  kind: 'not understood' | 'skipped' | 'conflict' | 'note'
  place: string
  reason: string
}

/** An item of a plan: one day with its entries, one other text, or entries that are not imported. */
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
