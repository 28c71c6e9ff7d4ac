import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openS3 } from './open-uploads.ts'
import { S3Client } from './s3-client.ts'
import { UploadsUnavailable } from './upload-store.ts'

const access = { bucket: 'zimmer', region: 'us-east-1', accessKeyId: 'id', secretAccessKey: 'secret' }

/** A bucket of a service that gives these answers, and the calls that it gets. */
async function startService(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const calls: string[] = []
  const server = createServer((request, response) => {
    calls.push(`${request.method} ${request.url}`)
    request.resume()
    answer(request, response)
  })
  // Only the client ends a connection.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const folder = await mkdtemp(join(tmpdir(), 'zimmer-s3-'))
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await rm(folder, { recursive: true })
  })
  const path = join(folder, 'arrived')
  await writeFile(path, 'a file')
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const store = openS3({
    dataDir: folder,
    uploadsEndpoint: endpoint,
    uploadsBucket: access.bucket,
    uploadsRegion: access.region,
    uploadsAccessKeyId: access.accessKeyId,
    uploadsSecretKey: access.secretAccessKey,
  })!
  return { store, endpoint, calls, path, keep: () => store.keep(path, 'covers/a.webp') }
}

const isList = ({ url }: IncomingMessage) => url!.includes('list-type=2')
const listOf = (keys: string[], more = '') =>
  `<ListBucketResult><EncodingType>url</EncodingType>${more}${keys
    .map(
      (key) => `<Contents><Key>${key}</Key><LastModified>1970-01-01T00:00:00.000Z</LastModified></Contents>`,
    )
    .join('')}</ListBucketResult>`

test.each([
  ['repeats a page', listOf(['a'], '<NextContinuationToken>1</NextContinuationToken>')],
  ['does not say how to go on', listOf(['a'], '<IsTruncated>true</IsTruncated>')],
  ['is cut off', listOf(['a', 'b']).slice(0, -100)],
  ['has a key that cannot be decoded', listOf(['%zz'])],
  ['has elements in elements without end', listOf([], `${'<a>'.repeat(100)}${'</a>'.repeat(100)}`)],
])('a list of a bucket that %s is a failure, so that no backup lacks files [R29]', async (_what, list) => {
  const { store, calls } = await startService((_request, response) => response.end(list))
  await expect(store.missingOf(['a', 'c'])).rejects.toThrow(UploadsUnavailable)
  expect(calls.length).toBeLessThanOrEqual(2)
})

test('a list of a bucket may have elements without content [R29]', async () => {
  const { store } = await startService((_request, response) => response.end(listOf(['a'], '<Prefix/>')))
  expect(await store.missingOf(['a', 'b'])).toEqual(['b'])
})

test('a list of a bucket whose pages lead in a circle is a failure, so that no purge reads for ever [R24]', async () => {
  const objects = '<Contents/>'.repeat(60_000)
  const { store, calls } = await startService(({ url }, response) => {
    const next = url!.includes('token=one') ? 'two' : 'one'
    response.end(listOf([], `${objects}<NextContinuationToken>${next}</NextContinuationToken>`))
  })
  await expect(store.missingOf(['a'])).rejects.toThrow('does not end')
  // The seventeenth page is the first with which there are over a million.
  expect(calls.length).toBe(17)
})

test('a backup takes an object once that a list repeats, so that it can be restored [R29]', async () => {
  const { store } = await startService((request, response) => {
    if (!isList(request)) return response.end('a file')
    const isFirst = !request.url!.includes('token')
    return response.end(
      isFirst ? listOf(['a', 'b'], '<NextContinuationToken>2</NextContinuationToken>') : listOf(['b', 'c']),
    )
  })
  const members = await Array.fromAsync(store.members(new Map()))
  expect(members.map(({ name }) => name)).toEqual(['uploads/a', 'uploads/b', 'uploads/c'])
})

test.each<[string, number, Record<string, string | number>]>([
  ['the whole file as a part', 206, { 'content-range': 'bytes 0-4/10', 'content-length': 10 }],
  ['a part that ends before it begins', 206, { 'content-range': 'bytes 9-5/10', 'content-length': 10 }],
  ['a part behind the end', 206, { 'content-range': 'bytes 5-14/10', 'content-length': 10 }],
  ['no length', 200, { 'transfer-encoding': 'chunked' }],
])(
  'a reader gets no answer whose length differs from its content when a service answers with %s [S35]',
  async (_what, status, headers) => {
    const { store } = await startService((_request, response) =>
      response.writeHead(status, headers).end('0123456789'),
    )
    await expect(store.read('covers/a.webp', { start: 0, end: 4 })).rejects.toThrow(UploadsUnavailable)
    const name = 'covers/a.webp'
    const whole = status === 206 ? store.read(name) : store.sizeOf(name)
    await expect(whole).rejects.toThrow(UploadsUnavailable)
  },
)

test('a backup names an object that is larger than any upload, and does not take one without a length [R24 R29]', async () => {
  let headers: Record<string, number> = { 'content-length': 65 * 1024 * 1024 }
  const { store } = await startService((request, response) => {
    if (isList(request)) response.end(listOf(['large']))
    else response.writeHead(200, headers).write('It begins')
  })
  const excluded = new Map<string, string>()
  expect(await Array.fromAsync(store.members(excluded))).toEqual([])
  expect([...excluded]).toEqual([['large', 'too large']])
  expect(await store.belongsTo('us')).toBe(false)
  headers = {}
  await expect(Array.fromAsync(store.members(excluded))).rejects.toThrow(UploadsUnavailable)
})

test('an upload whose status is 200 and whose answer is an error is not stored [S34]', async () => {
  const { keep } = await startService((_request, response) =>
    response.end('<?xml version="1.0"?><Error><Code>InternalError</Code></Error>'),
  )
  await expect(keep()).rejects.toThrow(UploadsUnavailable)
})

test('an upload does not wait for an answer that arrives byte by byte [R14]', async () => {
  const { keep } = await startService((_request, response) => {
    const writing = setInterval(() => response.write(' '), 1000)
    response.once('close', () => clearInterval(writing))
  })
  await expect(keep()).rejects.toThrow('too slowly')
})

test('an upload does not wait for a service that takes its content byte by byte [R14]', async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { keep, path } = await startService((request) => {
    request.pause()
    begin()
  })
  await truncate(path, 20 * 1024 * 1024)
  // The timers of sockets stay real: the connection does not count as stalled.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const failure = keep().catch((error: unknown) => error)
  await begun
  vi.advanceTimersByTime(23 * 60_000)
  expect(String(await failure)).toContain('too slow')
})

test('an upload that a service refuses before it has taken the content leaves no open file [R24]', async () => {
  const { endpoint, path } = await startService((request, response) => {
    request.pause()
    response.writeHead(403).end()
  })
  const size = 20 * 1024 * 1024
  await truncate(path, size)
  const content = createReadStream(path)
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  content.once('close', close)
  const client = new S3Client({ ...access, endpoint })
  const body = { size, sha256: '', open: () => content }
  await expect(client.done({ method: 'PUT', key: 'a', body })).rejects.toThrow('The answer is 403.')
  await closed
})

test('a purge does not follow the name of a mark to another object [S34]', async () => {
  const { store, calls } = await startService((request, response) => {
    const marks = ['.zimmer/unused/covers/../../../covers/a.webp']
    response.end(isList(request) ? listOf(request.url!.includes('unused') ? marks : []) : undefined)
  })
  await store.removeUnused('covers', async () => [], new AbortController().signal)
  expect(calls.filter((call) => !call.startsWith('GET'))).toEqual([])
})
