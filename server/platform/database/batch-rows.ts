import { batch } from '../batch.ts'

/** The rows of one statement. Bounds its memory, and how many rows wait for one locked row. */
const rowsPerStatement = 32
const bytesPerStatement = 512 * 1024

/**
 * The first statement starts at once. Every other statement starts when the statement before it has ended, but at most this long
 * after the start of that statement. So a statement that waits for the disk or for a locked row does not hold up the next one.
 */
const maxWaitMs = 4

interface RowParts {
  content: Buffer | string
  /**
   * No two rows of one statement share one of these texts. They must include the id of the caller, so that a statement never
   * claims the same Idempotency-Key twice.
   */
  unshared: readonly string[]
}

/**
 * Batches the rows that callers add at the same time, so that one statement adds them. `insert` returns what it has added, by the
 * ids of the rows.
 */
export const batchRows = <Row extends { id: string }, Added extends { id: string }>(
  insert: (rows: Row[]) => Promise<Added[]>,
  partsOf: (row: Row) => RowParts,
): ((row: Row) => Promise<Added | undefined>) => {
  const insertAll = async (rows: Row[]) => {
    const byId = new Map(rows.map((row) => [row.id, row]))
    return new Map((await insert(rows)).map((added) => [byId.get(added.id)!, added]))
  }
  return batch(insertAll, {
    fits: (waiting, row) => {
      const others = waiting.map(partsOf)
      const { content, unshared } = partsOf(row)
      const bytes = others.reduce((sum, other) => sum + bytesOf(other.content), bytesOf(content))
      return (
        waiting.length < rowsPerStatement &&
        bytes <= bytesPerStatement &&
        !others.some((other) => other.unshared.some((text) => unshared.includes(text)))
      )
    },
    maxWaitMs,
  })
}

const bytesOf = (content: Buffer | string) => Buffer.byteLength(content)
