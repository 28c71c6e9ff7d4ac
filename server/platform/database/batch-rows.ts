import { batch } from '../batch.ts'

/** The rows of one statement. Bounds its memory, and how many rows wait for one locked row. */
const rowsPerStatement = 32
const bytesPerStatement = 512 * 1024

/**
 * The first statement starts at once. Each other one starts when the one before it has ended, or this long after that one has
 * started: it does not wait when that one waits for the disk, or for a row that another transaction has locked.
 */
const maxWaitMs = 2

interface RowParts {
  content: Buffer | string
  /**
   * No two rows of one statement share one of these texts. The id of the caller is among them: then no Idempotency-Key is twice
   * in a statement.
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
