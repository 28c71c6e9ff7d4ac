import { RequestError } from '#web/lib/request.ts'
import { inTime } from './in-time.ts'
import { ConflictError, type Save, type StoredText } from './save.ts'

/**
 * Makes a `Save` of a request. A refusal that contains the stored row becomes a `ConflictError`. `onStored` gets the row with the
 * text: that of the answer, or that of a refusal when an earlier attempt has stored the text and its answer was lost.
 */
export const saveOrConflict =
  <Row>(
    send: (text: string, base: string | null) => Promise<Row>,
    storedOf: (row: Row) => StoredText,
    onStored: (row: Row) => unknown = () => {},
  ): Save =>
  async (text, base) => {
    try {
      const row = await inTime(send(text, base), answerWithinMs, noAnswer)
      const stored = storedOf(row)
      // A proxy may answer in the place of the server.
      if (typeof stored.text !== 'string') throw new TypeError('The answer has no stored text')
      await onStored(row)
      return stored
    } catch (error) {
      // Only refusals of a conflict have a row; the endpoint declares its type.
      const current = error instanceof RequestError ? (error.current as Row | undefined) : undefined
      if (!current) throw error
      const stored = storedOf(current)
      if (stored.text === text) await onStored(current)
      throw new ConflictError(stored, error)
    }
  }

/** A network may give neither an answer nor an error. The text then waits, and its base stores it once. */
const answerWithinMs = 120_000
const noAnswer = () => new TypeError('The server did not answer in time')
