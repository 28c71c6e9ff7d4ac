import { batch } from '../batch.ts'

/** The rows of one statement. Bounds its memory, and how many rows wait for one locked row. */
const rowsPerStatement = 32
const bytesPerStatement = 512 * 1024

/**
 * A statement starts at the latest this long after the one before it. Therefore it does not wait when that one waits for the
 * disk, or for a row that another transaction has locked.
 */
const maxWaitMs = 2

interface RowParts {
  content: Buffer | string
  /** No two rows of one statement share one of these texts, such as the id of a person. */
  alone: readonly string[]
}

/** Batches the rows that callers add at the same time, so that one statement adds them. */
export const batchRows = <Row, Added>(
  insert: (rows: Row[]) => Promise<Map<Row, Added>>,
  partsOf: (row: Row) => RowParts,
): ((row: Row) => Promise<Added | undefined>) =>
  batch(insert, {
    fits: (waiting, row) => {
      const others = waiting.map(partsOf)
      const { content, alone } = partsOf(row)
      const bytes = others.reduce((sum, other) => sum + bytesOf(other.content), bytesOf(content))
      return (
        waiting.length < rowsPerStatement &&
        bytes <= bytesPerStatement &&
        !others.some((other) => other.alone.some((text) => alone.includes(text)))
      )
    },
    maxWaitMs,
  })

const bytesOf = (content: Buffer | string) => Buffer.byteLength(content)
