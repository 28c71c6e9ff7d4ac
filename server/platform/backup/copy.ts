import { Readable } from 'node:stream'
import type { Client, Connection, Submittable } from 'pg'

/** What `COPY … TO STDOUT` sends, a row in each chunk. */
export const copyOut = (client: Client, statement: string): AsyncIterable<Buffer> =>
  client.query(new CopyOut(statement))

class CopyOut extends Readable implements Submittable {
  readonly #statement: string
  #connection: Connection | undefined

  constructor(statement: string) {
    super({ objectMode: true })
    this.#statement = statement
  }

  submit(connection: Connection) {
    this.#connection = connection
    connection.query(this.#statement)
  }

  override _read() {
    this.#connection?.stream.resume()
  }

  handleCopyData({ chunk }: { chunk: Buffer }) {
    // The bytes of the chunk are overwritten by what arrives next.
    if (!this.push(Buffer.from(chunk))) this.#connection?.stream.pause()
  }

  handleCommandComplete() {}

  handleReadyForQuery() {
    this.push(null)
  }

  handleError(error: Error) {
    this.destroy(error)
  }
}

/** Sends some whole rows to `COPY … FROM STDIN`. */
export function copyIn(client: Client, statement: string, rows: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query({
      submit: (connection: Connection) => connection.query(statement),
      handleCopyInResponse: (connection: CopyConnection) => {
        connection.sendCopyFromChunk(rows)
        connection.endCopyFrom()
      },
      handleCommandComplete: () => {},
      handleReadyForQuery: () => resolve(),
      handleError: reject,
    })
  })
}

interface CopyConnection {
  sendCopyFromChunk(rows: Buffer): void
  endCopyFrom(): void
}
