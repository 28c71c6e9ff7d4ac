import { RequestError } from '#web/lib/request.ts'
import { Conflict, type Save, type Stored } from './manuscript.ts'

/** Makes a save from a request whose refusal may carry the stored row: that one becomes a `Conflict`. */
export const saveOrConflict =
  <Row>(send: (text: string, base: string | null) => Promise<Row>, storedOf: (row: Row) => Stored): Save =>
  async (text, base) => {
    try {
      return storedOf(await send(text, base))
    } catch (error) {
      // The endpoint declares which refusals carry a row, and its type.
      if (error instanceof RequestError && error.current) throw new Conflict(storedOf(error.current as Row))
      throw error
    }
  }
