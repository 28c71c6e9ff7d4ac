import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyRequest } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { until } from '#server/testing/stream-client.ts'
import { headOfPost, openCaller } from '#server/testing/raw-callers.ts'
import { listFacts, startPlatform } from '#server/testing/test-platform.ts'
import { handle } from '../endpoints/handle.ts'
import { admins, everyone } from '../endpoints/policy.ts'
import { refuseWhenDiskIsFull } from './uploads.ts'

const megabyte = 1024 * 1024
const refusal = 'Please select a picture'

const addPicture = (maxBytes: number) =>
  endpoint({
    summary: 'Takes a picture.',
    method: 'POST',
    path: '/api/pictures',
    file: { field: 'picture', maxBytes, types: ['image/png'], refusal },
    output: z.object({ bytes: z.number(), type: z.string(), name: z.string(), sha256: z.string() }),
    status: 201,
    errors: [],
  })

function folderOfTest() {
  const folder = mkdtempSync(join(tmpdir(), 'zimmer-uploads-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

interface Options {
  maxBytes?: number
  dataDir?: string
  policy?: typeof everyone
  /** A database that is elsewhere: other servers may share the folder, and this one does not watch its disk. */
  databaseUrl?: string
  onFile?: () => void
  /** Runs before the body of a request is read. */
  beforeBody?: (request: FastifyRequest) => Promise<void>
}

async function start({
  maxBytes = 100,
  dataDir = folderOfTest(),
  policy = everyone,
  databaseUrl = 'postgres://elsewhere/zimmer',
  onFile,
  beforeBody,
}: Options = {}) {
  const kept = join(dataDir, 'kept')
  const t = await startPlatform(
    [
      handle(addPicture(maxBytes), policy, async ({ file }) => {
        onFile?.()
        await rename(file.path, kept)
        return file
      }),
      handle(listFacts, everyone, async () => []),
    ],
    { dataDir, ...(databaseUrl !== '' && { databaseUrl }) },
  )
  if (beforeBody !== undefined) t.app.addHook('onRequest', beforeBody)
  const origin = await t.app.listen({ port: 0, host: '127.0.0.1' })
  const url = `${origin}/api/pictures`
  const send = async (body: string | FormData | ReadableStream, headers: Record<string, string> = {}) => {
    const answer = await fetch(url, { method: 'POST', body, headers, duplex: 'half' } as RequestInit)
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const arriving = () => readdir(join(dataDir, 'uploads/arriving')).catch(() => [])
  const isKept = () =>
    stat(kept).then(
      () => true,
      () => false,
    )
  return { ...t, origin, send, kept, isKept, arriving }
}

const png = (content: string, type = 'image/png') => new File([content], 'a night.png', { type })

function form(...parts: [name: string, value: File | string][]) {
  const data = new FormData()
  for (const [name, value] of parts) data.append(name, value as File)
  return data
}

const head =
  '--x\r\ncontent-disposition: form-data; name="picture"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n'
const type = 'multipart/form-data; boundary=x'
const withBoundary = { 'content-type': type }

test('a person sends a file, and the handler moves it to where it is kept [S34]', async () => {
  const { send, kept, arriving } = await start()
  const { status, body } = await send(form(['picture', png('a'.repeat(100))]))
  expect([status, body]).toMatchObject([201, { bytes: 100, type: 'image/png', name: 'a night.png' }])
  expect(body.sha256).toBe('2816597888e4a0d3a36b82b83316ab32680eb8f00f8cd3b904d681246d285a0e')
  expect(await readFile(kept, 'utf8')).toBe('a'.repeat(100))
  expect(await arriving()).toEqual([])
})

test('a file with one byte too many is refused with 413, and nothing of it stays on the disk [S33]', async () => {
  const { send, isKept, arriving } = await start()
  expect(await send(form(['picture', png('a'.repeat(101))]))).toMatchObject({
    status: 413,
    body: { code: 'PayloadTooLarge' },
  })
  const large = await send(form(['picture', png('a'.repeat(megabyte))]))
  expect(large).toMatchObject({ status: 413, body: { code: 'PayloadTooLarge' } })
  expect([await isKept(), await arriving()]).toEqual([false, []])
})

test.each([
  ['another type', form(['picture', png('a', 'image/gif')])],
  ['another name', form(['portrait', png('a')])],
  ['a second file', form(['picture', png('a')], ['picture', png('b')])],
  ['a text beside the file', form(['picture', png('a')], ['title', 'Night'])],
  ['a text in its place', form(['picture', 'a'])],
  ['no part', form()],
])(
  'a body with %s is refused with the sentence of the call, and nothing stays [S33]',
  async (_what, data) => {
    const { send, isKept, arriving } = await start()
    const body = { code: 'InvalidInput', error: refusal, fields: { picture: refusal } }
    expect(await send(data)).toEqual({ status: 400, body })
    expect([await isKept(), await arriving()]).toEqual([false, []])
  },
)

test.each([
  ['ends before its file does', `${head}aaaa`, withBoundary, 400],
  ['ends before its file of another type does', `${head.replace('png\r', 'gif\r')}aaaa`, withBoundary, 400],
  [
    'ends before its file of another name does',
    `${head.replace('picture', 'portrait')}aaaa`,
    withBoundary,
    400,
  ],
  [
    'has headers of a part over 8 KiB',
    head.replace('a.png', 'a'.repeat(9000)) + 'a\r\n--x--\r\n',
    withBoundary,
    400,
  ],
  [
    'has over 8 KiB in headers after those of its file',
    head.replace(/\r\n\r\n$/, `\r\nx-more: ${'a'.repeat(9000)}\r\n\r\n`) + 'a\r\n--x--\r\n',
    withBoundary,
    400,
  ],
  [
    'has 55 KB of small headers',
    head.replace(/\r\n\r\n$/, `${'\r\nx-more: a'.repeat(5000)}\r\n\r\n`) + 'a\r\n--x--\r\n',
    withBoundary,
    400,
  ],
  ['is no multipart at all', '{}', withBoundary, 400],
  [
    'names no boundary',
    `${head}a\r\n--x--\r\n`,
    { 'content-type': 'multipart/form-data; charset=utf-8' },
    400,
  ],
  ['is JSON', '{}', { 'content-type': 'application/json' }, 415],
  ['is a form', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
])('a body that %s is refused, and nothing stays [S24 S33]', async (_what, body, headers, status) => {
  const { send, isKept, arriving } = await start()
  expect((await send(body, headers)).status).toBe(status)
  expect([await isKept(), await arriving()]).toEqual([false, []])
})

const chunked = `POST /api/pictures HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${type}\r\ntransfer-encoding: chunked\r\n\r\n`
const inChunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

test.each([
  ['before the file', chunked, 413],
  ['after the file', `${chunked}${inChunk(`${head}a\r\n--x--\r\n`)}`, '(413|201)'],
  ['of a declared length', headOfPost('/api/pictures', 500 * megabyte, { type }), 413],
])(
  'a caller who sends endless bytes %s is answered and disconnected, and nothing stays to arrive [S31 S33]',
  async (_where, start_, status) => {
    const { origin, arriving } = await start()
    const caller = await openCaller(origin, start_)
    const closed = new Promise((resolve) => caller.socket.once('close', resolve))
    const piece = 'a'.repeat(megabyte / 16)
    let sent = 0
    while (!caller.socket.destroyed && sent < 100 * megabyte) {
      sent += piece.length
      if (!caller.socket.write(start_.startsWith(chunked) ? inChunk(piece) : piece))
        await Promise.race([new Promise((resolve) => caller.socket.once('drain', resolve)), closed])
    }
    await closed
    // The buffers of both sockets hold some of it.
    expect(sent).toBeLessThan(50 * megabyte)
    expect(caller.said).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(await arriving()).toEqual([])
  },
)

test('a caller without the right is refused before the body is read [S33]', async () => {
  const { origin, arriving } = await start({ policy: admins as typeof everyone })
  const caller = await openCaller(origin, headOfPost('/api/pictures', 150, { type }))
  await until(() => caller.said !== '' || undefined)
  expect(caller.said).toMatch(/^HTTP\/1\.1 401 /)
  expect(await arriving()).toEqual([])
})

test('a caller who leaves half way leaves nothing, and the server goes on [S34]', async () => {
  const { origin, arriving, isKept, send } = await start({ maxBytes: megabyte })
  const half = `${headOfPost('/api/pictures', 900_000, { type })}${head}${'a'.repeat(100_000)}`
  const { socket } = await openCaller(origin, half)
  await until(async () => (await arriving()).length === 1 || undefined)
  socket.destroy()
  await until(async () => (await arriving()).length === 0 || undefined)
  expect(await isKept()).toBe(false)
  expect((await send(form(['picture', png('a')]))).status).toBe(201)
})

test('a file whose handler fails is deleted, and so is one that a killed server left behind [S34]', async () => {
  const dataDir = folderOfTest()
  mkdirSync(join(dataDir, 'uploads/arriving'), { recursive: true })
  const leftover = join(dataDir, 'uploads/arriving', 'leftover')
  writeFileSync(leftover, 'a')
  utimesSync(leftover, 0, 0)
  const { send, arriving } = await start({
    dataDir,
    onFile: () => {
      throw new Error('a failure of the handler')
    },
  })
  expect(await arriving()).toEqual([])
  expect((await send(form(['picture', png('a')]))).status).toBe(500)
  expect(await arriving()).toEqual([])
})

test('a server that owns the folder deletes a file that a server killed a moment ago left behind, and one that shares the folder keeps the file [S34]', async () => {
  const dataDir = folderOfTest()
  mkdirSync(join(dataDir, 'uploads/arriving'), { recursive: true })
  writeFileSync(join(dataDir, 'uploads/arriving', 'young'), 'a')
  const sharing = await start({ dataDir })
  expect(await sharing.arriving()).toEqual(['young'])
  const owning = await start({ dataDir, databaseUrl: '' })
  expect(await owning.arriving()).toEqual([])
})

test('a person sends at most 64 MiB of files at a time, more is refused with 429, others are served, and there is room again afterwards [R25]', async () => {
  const { origin, send, arriving } = await start({ maxBytes: 30 * megabyte })
  const body = `${head}${'a'.repeat(1000)}`
  const begun = `${headOfPost('/api/pictures', 30 * megabyte, { type, cookie: 'sid=user' })}${body}`
  const callers = [await openCaller(origin, begun), await openCaller(origin, begun)]
  await until(async () => (await arriving()).length === 2 || undefined)
  const third = await openCaller(origin, begun)
  await until(() => third.said !== '' || undefined)
  expect(third.said).toMatch(/^HTTP\/1\.1 429 /)
  expect(third.said).toMatch(/\r\nretry-after: 5\r\n/i)
  expect(await arriving()).toHaveLength(2)
  const picture = () => form(['picture', png('a')])
  expect((await send(picture(), { cookie: 'sid=admin' })).status).toBe(201)
  for (const { socket } of callers) socket.destroy()
  await until(async () => (await arriving()).length === 0 || undefined)
  const next = await openCaller(origin, begun)
  await until(async () => (await arriving()).length === 1 || undefined)
  next.socket.destroy()
  await until(async () => (await arriving()).length === 0 || undefined)
})

test('callers who leave before their files are read do not count towards the 64 MiB of a person [R25]', async () => {
  let [begun, gone, isLeaving] = [0, 0, true]
  const { origin, arriving } = await start({
    maxBytes: 30 * megabyte,
    beforeBody: async (request) => {
      if (!isLeaving) return
      begun++
      await once(request.raw.socket, 'close')
      gone++
    },
  })
  const text = `${headOfPost('/api/pictures', 30 * megabyte, { type, cookie: 'sid=user' })}${head}a`
  const leaving = [await openCaller(origin, text), await openCaller(origin, text)]
  await until(() => begun === 2 || undefined)
  for (const { socket } of leaving) socket.destroy()
  await until(() => gone === 2 || undefined)
  isLeaving = false
  const callers = [await openCaller(origin, text), await openCaller(origin, text)]
  const isAnswered = () => callers.some(({ said }) => said !== '')
  await until(async () => (await arriving()).length === 2 || isAnswered() || undefined)
  expect(callers.map(({ said }) => said)).toEqual(['', ''])
  for (const { socket } of callers) socket.destroy()
  await until(async () => (await arriving()).length === 0 || undefined)
})

test('a server starts while another one finishes the upload of a file that the first has listed [S34]', async () => {
  const dataDir = folderOfTest()
  mkdirSync(join(dataDir, 'uploads/arriving'), { recursive: true })
  // A link without its file answers as a file that is gone since the folder was listed.
  symlinkSync(join(dataDir, 'gone'), join(dataDir, 'uploads/arriving', 'finished'))
  const { send } = await start({ dataDir })
  expect((await send(form(['picture', png('a')]))).status).toBe(201)
})

test('a file of 200 MB passes through the server without staying in its memory [R24]', async () => {
  const { send, kept } = await start({ maxBytes: 200 * megabyte })
  const chunk = Buffer.alloc(megabyte / 4, 'a')
  let highest = 0
  const body = async function* () {
    yield Buffer.from(head)
    for (let n = 0; n < 800; n++) {
      yield chunk
      const { external, heapUsed } = process.memoryUsage()
      highest = Math.max(highest, external + heapUsed)
    }
    yield Buffer.from('\r\n--x--\r\n')
  }
  const { external, heapUsed } = process.memoryUsage()
  expect(await send(ReadableStream.from(body()), withBoundary)).toMatchObject({
    status: 201,
    body: { bytes: 200 * megabyte },
  })
  expect((await stat(kept)).size).toBe(200 * megabyte)
  // Chunks that are not collected yet count too.
  expect(highest - external - heapUsed).toBeLessThan(100 * megabyte)
}, 60_000)

test('a file that would take the last 64 MB of the disk is refused with 503, nothing of it stays, and a smaller file is accepted [R15]', async (context) => {
  const dataDir = folderOfTest()
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=68m', 'tmpfs', dataDir])
  if (mounted.status !== 0) return context.skip('A disk of its own may not be mounted here.')
  onTestFinished(() => void spawnSync('umount', [dataDir]))
  const { send, arriving, isKept } = await start({ maxBytes: 10 * megabyte, dataDir })
  const refused = await send(form(['picture', png('a'.repeat(8 * megabyte))]))
  expect(refused).toMatchObject({ status: 503, body: { code: 'Unavailable' } })
  expect([await isKept(), await arriving()]).toEqual([false, []])
  expect((await send(form(['picture', png('a'.repeat(1000))]))).status).toBe(201)
})

test.runIf(process.platform === 'linux')(
  'a handler whose file does not fit on the disk refuses the call for now, and other failures stay failures [R15]',
  async () => {
    // Linux refuses each write to this device as one to a full disk.
    const full = refuseWhenDiskIsFull(() => writeFile('/dev/full', 'x'))
    await expect(full).rejects.toMatchObject({ code: 'Unavailable' })
    const missing = refuseWhenDiskIsFull(() => writeFile('/no such folder/file', 'x'))
    await expect(missing).rejects.toMatchObject({ code: 'ENOENT' })
  },
)

test('the description of the API names the part of the file [S2]', async () => {
  const { request } = await start()
  const path = ['paths', '/api/pictures', 'post', 'requestBody', 'content', 'multipart/form-data', 'schema']
  expect((await request({ url: '/openapi.json' })).json()).toHaveProperty([...path, 'required'], ['picture'])
})
