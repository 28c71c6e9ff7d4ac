/** What becomes of the entries of a file. The counts of a preview add up to what the file holds. */
export interface ImportCounts {
  new: number
  same: number
  conflict: number
  notUnderstood: number
  skipped: number
}

export const noCounts = (): ImportCounts => ({ new: 0, same: 0, conflict: 0, notUnderstood: 0, skipped: 0 })

export function addCounts(counts: ImportCounts, others: ImportCounts): void {
  for (const kind of ['new', 'same', 'conflict', 'notUnderstood', 'skipped'] as const)
    counts[kind] += others[kind]
}
