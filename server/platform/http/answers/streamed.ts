import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { takesGzip } from './prepared.ts'

/** A list that is sent while it is read: a long one costs no more memory than a short one. */
export class Streamed<Row = unknown> {
  readonly batches: AsyncIterable<readonly Row[]>
  /** The cursor of the next slice of the list. */
  readonly nextBefore: string | undefined

  constructor(batches: AsyncIterable<readonly Row[]>, nextBefore: string | undefined) {
    this.batches = batches
    this.nextBefore = nextBefore
  }
}

/** Sends `shape(row)` for each row. */
export const streamed = <Read, Row>(
  { batches, nextBefore }: { batches: AsyncIterable<readonly Read[]>; nextBefore: string | undefined },
  shape: (row: Read) => Row,
) => new Streamed<Row>(shaped(batches, shape), nextBefore)

async function* shaped<Read, Row>(batches: AsyncIterable<readonly Read[]>, shape: (row: Read) => Row) {
  for await (const batch of batches) yield batch.map(shape)
}

export const sendStreamed = (request: FastifyRequest, reply: FastifyReply, { batches }: Streamed) =>
  sendTexts(request, reply.header('content-type', 'application/json; charset=utf-8'), jsonTexts(batches))

/**
 * Sends a document while its parts are made. A failure before the first part is answered like any other. A later failure
 * ends the connection.
 */
export async function sendTexts(
  request: FastifyRequest,
  reply: FastifyReply,
  texts: AsyncGenerator<string, void>,
) {
  const first = await texts.next()
  const whole = async function* () {
    try {
      yield first.value
      yield* texts
    } catch (error) {
      // A refusal that can still be sent is not compressed.
      reply.removeHeader('content-encoding')
      throw error
    }
  }
  const source = Readable.from(whole(), { objectMode: false })
  reply.header('vary', 'accept-encoding')
  if (!takesGzip(request.headers['accept-encoding'])) return reply.send(source)
  reply.header('content-encoding', 'gzip')
  // The fastest level: a higher one would delay the first byte. `pipeline` passes a failure of the source on to `reply`.
  return reply.send(pipeline(source, createGzip({ level: 1 }), () => {}))
}

/** One line for each batch: JSON holds no line breaks, so the page can parse each line when it arrives. */
async function* jsonTexts(batches: AsyncIterable<readonly unknown[]>): AsyncGenerator<string, void> {
  let before = '['
  for await (const batch of batches) {
    if (batch.length === 0) continue
    yield before + batch.map((row) => JSON.stringify(row)).join(',') + '\n'
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}
