import Fastify from 'fastify'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { sendStreamed, streamed } from './streamed.ts'

const shown = ({ n }: { n: number; secret?: string }) => ({ n })

async function startWith(batches: () => AsyncIterable<{ n: number }[]>) {
  const app = Fastify()
  app.get('/', (request, reply) =>
    sendStreamed(request, reply, streamed({ batches: batches(), nextBefore: undefined }, shown)),
  )
  await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/`
  const ask = async (headers = {}) => {
    const request = get(url, { headers, agent: false })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    return { request, response }
  }
  return { ask, app }
}

async function bodyOf(response: IncomingMessage) {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

async function* listOf(...batches: { n: number; secret?: string }[][]) {
  yield* batches
}

test.each([
  ['nothing', [], []],
  ['empty batches', [[], []], []],
  ['one batch', [[{ n: 1 }, { n: 2 }]], [{ n: 1 }, { n: 2 }]],
  ['many batches', [[{ n: 1 }], [], [{ n: 2, secret: 'x' }, { n: 3 }]], [{ n: 1 }, { n: 2 }, { n: 3 }]],
])(
  'a list of %s is sent as one array, plain or compressed, with the fields of its shape alone [S5]',
  async (_name, batches, whole) => {
    const { ask } = await startWith(() => listOf(...batches))
    const plain = await ask()
    expect(plain.response.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8' })
    expect(JSON.parse((await bodyOf(plain.response)).toString())).toEqual(whole)
    const zipped = await ask({ 'accept-encoding': 'br, gzip' })
    expect(zipped.response.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
    expect(JSON.parse(gunzipSync(await bodyOf(zipped.response)).toString())).toEqual(whole)
  },
)

test('the first rows arrive while the next are still to be read', async () => {
  const next = Promise.withResolvers<void>()
  const { ask } = await startWith(async function* () {
    yield [{ n: 1 }]
    await next.promise
    yield [{ n: 2 }]
  })
  const { response } = await ask()
  const [chunk] = (await once(response, 'data')) as [Buffer]
  expect(chunk.toString()).toBe('[{"n":1}\n')
  next.resolve()
  expect((await bodyOf(response)).toString()).toBe(',{"n":2}\n]')
})

const many = Array.from({ length: 20_000 }, () => ({ n: Math.random() }))

test.each([{}, { 'accept-encoding': 'gzip' }])(
  'what fails before anything is sent is a refusal, later it ends the connection',
  async (headers) => {
    const seen = Promise.withResolvers<void>()
    let sendsFirst = 0
    const { ask } = await startWith(async function* () {
      if (sendsFirst > 0) yield sendsFirst > 1 ? many : [{ n: 1 }]
      if (sendsFirst > 1) await seen.promise
      throw new Error('the database is gone')
    })
    // A compressed row waits for more before it is sent.
    for (sendsFirst of 'accept-encoding' in headers ? [0, 1] : [0]) {
      const { response } = await ask(headers)
      expect([response.statusCode, response.headers['content-encoding']]).toEqual([500, undefined])
      expect((await bodyOf(response)).toString()).toContain('the database is gone')
    }
    sendsFirst = 2
    const { response } = await ask(headers)
    expect(response.statusCode).toBe(200)
    await once(response, 'readable')
    seen.resolve()
    await expect(bodyOf(response)).rejects.toThrow('aborted')
  },
)

test.each([{}, { 'accept-encoding': 'gzip' }])(
  'when the reader leaves, reading ends; a slow one is waited for [R11]',
  async (headers) => {
    const ended = Promise.withResolvers<number>()
    const { ask } = await startWith(async function* () {
      let count = 0
      try {
        for (;;) yield Array.from({ length: 1000 }, () => ({ n: Math.random() + count++ }))
      } finally {
        ended.resolve(count)
      }
    })
    const { request, response } = await ask(headers)
    await once(response, 'readable')
    request.destroy()
    // An endless list, of which only as much was read as the connection holds.
    expect(await ended.promise).toBeLessThan(10_000_000)
  },
)
