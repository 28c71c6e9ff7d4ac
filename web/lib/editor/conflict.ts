import { RequestError } from '#web/lib/request.ts'
import { ConflictError, type Save, type StoredText } from './manuscript.ts'

/** Makes a `Save` of a request. It throws a refusal that has the stored row as a `ConflictError`. */
export const saveOrConflict =
  <Row>(
    send: (text: string, base: string | null) => Promise<Row>,
    storedOf: (row: Row) => StoredText,
  ): Save =>
  async (text, base) => {
    try {
      return storedOf(await send(text, base))
    } catch (error) {
      // Only refusals of a conflict have a row; the endpoint declares its type.
      if (error instanceof RequestError && error.current)
        throw new ConflictError(storedOf(error.current as Row))
      throw error
    }
  }
