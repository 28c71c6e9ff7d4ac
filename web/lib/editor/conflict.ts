import { RequestError } from '#web/lib/request.ts'
import { Conflict, type Save, type Stored } from './manuscript.ts'

/** Makes a save of a call that answers a conflict with what is stored now. */
export const savingBy =
  <Row>(send: (text: string, base: string | null) => Promise<Row>, storedOf: (row: Row) => Stored): Save =>
  async (text, base) => {
    try {
      return storedOf(await send(text, base))
    } catch (error) {
      // The call declares its refusals: this one carries a row.
      if (error instanceof RequestError && error.current) throw new Conflict(storedOf(error.current as Row))
      throw error
    }
  }
