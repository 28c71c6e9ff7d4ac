import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { getMe } from '#contract/account/endpoints.ts'
import { uploadCover } from '#contract/covers/endpoints.ts'
import { getCurrentIssue } from '#contract/magazine/endpoints.ts'
import { allFileKinds } from '#server/features.ts'
import { issueFiles, magazineIssues } from '#server/features/magazine/schema.ts'
import { purgeIssues } from '#server/features/magazine/routes.ts'
import { createLog } from '#server/log.ts'
import { emptyPlaceIn, lastingOf } from '#server/testing/backup-places.ts'
import { contentOf } from '#server/testing/content.ts'
import { openS3Server, s3Keys } from '#server/testing/s3-server.ts'
import { until } from '#server/testing/stream-client.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { s3Place } from '#server/testing/upload-places.ts'
import { aPdf, aPng, formOf, pdfText } from '#server/testing/uploads.ts'
import { copyUploads } from '../../commands/uploads.ts'
import { makeBackup } from '../backup/backup.ts'
import { finishRestore } from '../backup/restore.ts'
import { OperatorError } from '../operator-error.ts'
import { FolderStore } from './folder-store.ts'
import { ownerKey } from './owner.ts'
import { openS3, openUploads } from './open-uploads.ts'
import { type UploadStore, UploadsUnavailable } from './upload-store.ts'

async function ownFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'zimmer-s3-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** A service with a bucket, and what an instance would store in it. */
async function startService() {
  const s3 = await openS3Server()
  onTestFinished(s3.close)
  const folder = await ownFolder()
  const store = openS3({ dataDir: folder, ...s3.config })!
  const put = async (name: string, content: string) => {
    const path = join(folder, 'arrived')
    await writeFile(path, content)
    await store.keep(path, name)
  }
  return { s3, store, put, folder, files: s3Place(s3).files }
}

/** An instance whose uploads are in a service. */
async function start(secret: string = s3Keys.secret) {
  const service = await startService()
  const lines: string[] = []
  const logger = createLog('warn', { write: (line) => void lines.push(line) })
  const config = { limitsRates: false, ...service.s3.config, uploadsSecretKey: secret }
  const t = await startTestApp({ config, logger })
  return {
    ...service,
    ...t,
    lines,
    uploads: openUploads(t.config),
    send: (who: Client, headers: Record<string, string> = {}) =>
      who.request({ method: 'POST', url: '/api/upload-litmag', payload: formOf('litmag', aPdf()), headers }),
    upload: async (who: Client) => {
      const payload = formOf('litmag', aPdf())
      const answer = await who.request({ method: 'POST', url: '/api/upload-litmag', payload })
      expect(answer.statusCode).toBe(201)
      return answer.json<{ url: string }>().url
    },
  }
}

const nameOf = (url: string) => url.replace('/uploads/', '')
const never = new AbortController().signal
const anId = '01976000-0000-7000-8000-000000000001'

test('a backup contains the files of a bucket whatever their names are, and names those that it cannot contain [R19 R29]', async () => {
  const { store, s3, put } = await startService()
  const names = [
    'magazine/one.pdf',
    "covers/Größe +é & 100% <b>?#;'()*!~ 🖋.webp",
    'covers/with+plus and  blanks',
    '.hidden',
    'a/b/c/d',
  ]
  for (const name of names) await put(name, `the content of ${name}`)
  const odd = ['folder/', 'a//b', 'x/../y', 'half.part', 'a/b/c/d/e', 'lost+found/#1']
  for (const name of odd) s3.objects.set(name, { content: Buffer.from('odd'), size: 3, modifiedMs: 0 })
  expect(await store.missingOf([...names, ...odd, 'magazine/two.pdf'])).toEqual(['magazine/two.pdf'])
  const excluded = new Map<string, string>()
  const members = await Array.fromAsync(store.members(excluded))
  expect(Object.fromEntries(members.map(({ name, content }) => [name, content.toString()]))).toEqual(
    Object.fromEntries(names.map((name) => [`uploads/${name}`, `the content of ${name}`])),
  )
  expect([...excluded.keys()].toSorted()).toEqual(odd.toSorted())
  for (const name of names) await store.remove(name)
  expect([...s3.objects.keys()].toSorted()).toEqual(odd.toSorted())
})

test('with a wrong secret an upload and a read are refused as unavailable; the log names the reason, and neither log nor answer the secret or the address [S34 S35]', async () => {
  const t = await start('another secret of nobody'.replaceAll(' ', '-'))
  const admin = await t.admin()
  await t.db.insert(magazineIssues).values({ id: anId, uploadedAt: t.clock.now().toISOString() })
  const before = await contentOf(t.db)
  const answers = [
    await t.send(admin),
    await t.request({ method: 'GET', url: `/uploads/${issueFiles.kind}/${anId}.pdf` }),
    await t.request({ method: 'HEAD', url: `/uploads/${issueFiles.kind}/${anId}.pdf` }),
  ]
  for (const answer of answers) {
    expect([answer.statusCode, answer.headers['retry-after'], answer.headers['cache-control']]).toEqual([
      503,
      '2',
      'no-store',
    ])
    expect(answer.body).not.toMatch(/secret|127\.0\.0\.1|Signature/)
  }
  expect(answers[0]!.json()).toMatchObject({ code: 'Unavailable' })
  expect([await contentOf(t.db), await t.files()]).toEqual([before, {}])
  expect(t.lines).toHaveLength(3)
  expect(t.lines[0]).toContain('SignatureDoesNotMatch')
  expect(t.lines.join('')).not.toMatch(/another-secret|the\/test/)
})

test.each<[string, 'closes' | { status: number; code: string }, number]>([
  ['ends the connection', 'closes', 3],
  ['answers with an error that may pass', { status: 503, code: 'SlowDown' }, 3],
  ['answers with an error that stays', { status: 403, code: 'AccessDenied' }, 1],
  ['has no such bucket', { status: 404, code: 'NoSuchBucket' }, 1],
])(
  'an upload to a service that %s is refused with the sentence for it, leaves no row and no file, and a repetition succeeds [S34 R2]',
  async (_what, fault, attempts) => {
    const t = await start()
    const admin = await t.admin()
    const before = await contentOf(t.db)
    t.s3.state.faultOf = () => fault
    const answer = await t.send(admin)
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([503, 'Unavailable'])
    expect(t.s3.calls).toHaveLength(attempts)
    expect([await contentOf(t.db), await t.files()]).toEqual([before, {}])
    expect(t.lines).toHaveLength(1)
    await until(
      async () => (await readdir(join(t.config.dataDir, 'uploads/arriving'))).length === 0 || undefined,
    )
    t.s3.state.faultOf = () => undefined
    expect((await t.request({ method: 'GET', url: await t.upload(admin) })).body).toBe(pdfText)
  },
)

test('an upload succeeds when the service fails twice and then works [S34]', async () => {
  const t = await start()
  const faults = ['closes', { status: 500, code: 'InternalError' }] as const
  let failed = 0
  t.s3.state.faultOf = () => faults[failed++]
  const url = await t.upload(await t.admin())
  expect(Object.keys(await t.files())).toEqual([nameOf(url)])
})

test('readers of files that a frozen service never sends are refused in time, and calls without files are answered meanwhile [R14]', async () => {
  const t = await start()
  const url = await t.upload(await t.admin())
  t.s3.state.faultOf = () => 'stalls'
  t.s3.calls.length = 0
  let refused = 0
  const reads = Array.from({ length: 70 }, async () => {
    const { statusCode } = await t.request({ method: 'GET', url })
    refused++
    return statusCode
  })
  // Calls beyond the bound do not wait.
  await until(() => refused >= 6 || undefined)
  expect(await t.visitor().does(getCurrentIssue)).toEqual({ url })
  expect((await t.request({ method: 'GET', url: '/health/ready' })).statusCode).toBe(200)
  expect(new Set(await Promise.all(reads))).toEqual(new Set([503]))
  expect(t.s3.calls).toHaveLength(64)
  t.s3.state.faultOf = () => undefined
  expect((await t.request({ method: 'GET', url })).body).toBe(pdfText)
})

test('uploads with a key that wait for a frozen service keep no connection to the database from other people [R14 R15]', async () => {
  const t = await start()
  const admins = await Promise.all(Array.from({ length: 4 }, () => t.admin()))
  t.s3.state.faultOf = () => 'stalls'
  // As many as a person may send at a time. Together they are more than the connections to the database.
  const sent = admins.flatMap((admin) =>
    Array.from({ length: 3 }, (_, count) => t.send(admin, { 'idempotency-key': `key-${count}` })),
  )
  await until(() => t.s3.waiting.size === sent.length || undefined)
  expect((await admins[0]!.tries(getMe)).status).toBe(200)
  t.s3.state.faultOf = () => ({ status: 403, code: 'AccessDenied' })
  for (const answer of t.s3.waiting) answer.destroy()
  expect(new Set((await Promise.all(sent)).map(({ statusCode }) => statusCode))).toEqual(new Set([503]))
  expect(await t.db.$count(magazineIssues)).toBe(0)
})

test('a reader of a file whose sending the service stops does not wait for the rest [R14]', async () => {
  const t = await start()
  const url = await t.upload(await t.admin())
  const origin = await t.app.listen({ port: 0, host: '127.0.0.1' })
  t.s3.state.faultOf = ({ method }) => (method === 'GET' ? 'freezes' : undefined)
  const from = performance.now()
  await expect(fetch(`${origin}${url}`).then((answer) => answer.text())).rejects.toThrow('terminated')
  expect(performance.now() - from).toBeLessThan(20_000)
})

test('an upload waits for a service that stores slowly [S34]', async () => {
  const t = await start()
  t.s3.state.storesWithinMs = 11_000
  expect(await t.upload(await t.admin())).toMatch(/^\/uploads\/magazine\//)
})

test('a file whose sending the service cuts off does not arrive as a whole one, and no backup contains it [S35 R29]', async () => {
  const t = await start()
  const url = await t.upload(await t.admin())
  const origin = await t.app.listen({ port: 0, host: '127.0.0.1' })
  t.s3.state.faultOf = ({ method }) => (method === 'GET' ? 'cuts' : undefined)
  await expect(fetch(`${origin}${url}`).then((answer) => answer.text())).rejects.toThrow('terminated')
  t.s3.state.faultOf = ({ method, key }) => (method === 'GET' && key !== '' ? 'cuts' : undefined)
  const file = join(t.folder, 'backup.tar.zst')
  const source = { connection: t.connection, uploads: t.uploads, kinds: allFileKinds, now: t.clock.now() }
  await expect(makeBackup(source, file)).rejects.toThrow(UploadsUnavailable)
  expect(await readdir(t.folder)).toEqual([])
})

/** Puts an object of 64 MiB in the place of an issue. Returns how many bytes the service has begun to send. */
function makeLarge({ s3 }: Awaited<ReturnType<typeof start>>, url: string) {
  const chunk = Buffer.alloc(64 * 1024, '%')
  let bytes = 0
  const content = function* () {
    for (let count = 0; count < 1024; count++) {
      bytes += chunk.length
      yield chunk
    }
  }
  s3.objects.set(nameOf(url), { content, size: 1024 * chunk.length, modifiedMs: Date.now() })
  return () => bytes
}

test('a reader who takes nothing makes the service wait, so that a large file needs little memory [S35 R11]', async () => {
  const t = await start()
  const url = await t.upload(await t.admin())
  const begun = makeLarge(t, url)
  const origin = await t.app.listen({ port: 0, host: '127.0.0.1' })
  const [answer] = (await once(get(`${origin}${url}`), 'response')) as [IncomingMessage]
  let [known, same] = [0, 0]
  await until(() => {
    same = begun() === known ? same + 1 : 0
    known = begun()
    return same === 20 || undefined
  })
  // The buffers of four sockets of the system are the most of it.
  expect(known).toBeLessThan(32 * 1024 * 1024)
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) bytes += chunk.length
  expect([bytes, begun()]).toEqual([64 * 1024 * 1024, 64 * 1024 * 1024])
})

test('the call to the service ends when a reader leaves, before and within the file [S35]', async () => {
  const t = await start()
  const url = await t.upload(await t.admin())
  makeLarge(t, url)
  const origin = await t.app.listen({ port: 0, host: '127.0.0.1' })
  const within = get(`${origin}${url}`).on('error', () => {})
  await until(() => t.s3.waiting.size === 1 || undefined)
  within.destroy()
  await until(() => t.s3.waiting.size === 0 || undefined)
  t.s3.state.faultOf = () => 'stalls'
  const early = get(`${origin}${url}`).on('error', () => {})
  await until(() => t.s3.waiting.size === 1 || undefined)
  const left = performance.now()
  early.destroy()
  await until(() => t.s3.waiting.size === 0 || undefined)
  // Without this the call would go on for 5 s.
  expect(performance.now() - left).toBeLessThan(4000)
  expect(t.lines).toEqual([])
})

test('a file without a row is deleted an hour after a purge has found it, by the clock of the service; one with a row stays [S34 R20]', async () => {
  const t = await start()
  const [used, unused] = [await t.upload(await t.admin()), await t.upload(await t.admin())]
  const hour = 3_600_000
  const purge = () => purgeIssues({ database: t.db, uploads: t.uploads }, never)
  const countStored = () => [...t.s3.objects.keys()].filter((key) => key !== ownerKey).length
  const isThere = async () => nameOf(unused) in (await t.files())
  const row = await t.db.select().from(magazineIssues)
  await t.db.execute(`delete from magazine_issues where id = '${nameOf(unused).slice(9, -4)}'`)
  // A young file without a row may belong to an upload that has not ended.
  await purge()
  expect(countStored()).toBe(2)
  t.s3.state.clockMs = 1.1 * hour
  await purge()
  expect([await isThere(), countStored()]).toEqual([true, 3])
  t.s3.state.clockMs = 2 * hour
  await purge()
  expect([await isThere(), countStored()]).toEqual([true, 3])
  // A restore, for example, has brought the row back: the time begins anew.
  await t.db.insert(magazineIssues).values(row).onConflictDoNothing()
  await purge()
  expect(countStored()).toBe(2)
  await t.db.execute(`delete from magazine_issues where id = '${nameOf(unused).slice(9, -4)}'`)
  t.s3.state.clockMs = 5 * hour
  await purge()
  expect([await isThere(), countStored()]).toEqual([true, 3])
  t.s3.state.clockMs = 6.1 * hour
  await purge()
  expect(Object.keys(await t.files())).toEqual([nameOf(used)])
  expect(countStored()).toBe(1)
})

test('an installation neither purges nor fills the bucket of another one [S34 R23]', async () => {
  const t = await start()
  await t.upload(await t.admin())
  await purgeIssues({ database: t.db, uploads: t.uploads }, never)
  const before = await t.files()
  const other = await startTestApp({ config: t.s3.config })
  t.s3.state.clockMs = 7_200_000
  for (let purge = 0; purge < 2; purge++)
    await expect(purgeIssues({ database: other.db, uploads: t.uploads }, never)).rejects.toThrow(
      /^The bucket .* belongs to another installation\./,
    )
  await expect(copyUploads({ database: other.db, config: other.config } as never, 's3')).rejects.toThrow(
    OperatorError,
  )
  expect(await t.files()).toEqual(before)
})

/** An instance with an issue and a cover. */
async function startWithFiles(config = {}) {
  const t = await startTestApp({ config: { limitsRates: false, ...config } })
  const admin = await t.admin()
  const send = (url: string, payload: FormData) => admin.request({ method: 'POST', url, payload })
  await send('/api/upload-litmag', formOf('litmag', aPdf()))
  await send(uploadCover.path, formOf('cover', aPng()))
  return { ...t, uploads: openUploads(t.config) }
}

const filesIn = async (store: UploadStore) =>
  Object.fromEntries(
    (await Array.fromAsync(store.members(new Map()))).map(({ name, content }) => [name, content]),
  )

test.each(['folder', 'S3'])(
  'a backup of an instance with its uploads in a %s is restored into the other kind of place, with the same rows and bytes [R19]',
  async (from) => {
    const { s3, store, folder } = await startService()
    const inFolder = new FolderStore(join(folder, 'uploads'))
    const t = await startWithFiles(from === 'S3' ? s3.config : {})
    const file = join(folder, 'backup.tar.zst')
    const source = { connection: t.connection, uploads: t.uploads, kinds: allFileKinds, now: t.clock.now() }
    const { missing, excluded } = await makeBackup(source, file)
    expect([missing.size, excluded.size]).toEqual([0, 0])
    const place = await emptyPlaceIn(folder)
    const target = from === 'S3' ? inFolder : store
    await place.restore(file, target)
    expect(Object.keys(await filesIn(target))).toHaveLength(2)
    expect(await filesIn(target)).toEqual(await filesIn(t.uploads))
    expect(await place.content()).toEqual(await lastingOf(t.db))
    expect([...s3.objects.keys()].filter((key) => key.startsWith('.zimmer/'))).toEqual([])
  },
)

test('a backup is restored into an empty bucket alone; after a failure the bucket is empty again, and after a kill the restore can be repeated [R19]', async () => {
  const { s3, store, folder, put } = await startService()
  const t = await startWithFiles()
  const file = join(folder, 'backup.tar.zst')
  const source = { connection: t.connection, uploads: t.uploads, kinds: allFileKinds, now: t.clock.now() }
  await makeBackup(source, file)
  const place = await emptyPlaceIn(folder)

  await put('covers/mine.webp', 'mine')
  await expect(place.restore(file, store)).rejects.toThrow('The bucket zimmer holds files')
  expect([...s3.objects.keys()]).toEqual(['covers/mine.webp'])
  await store.remove('covers/mine.webp')

  // The second file fails. The first one and the mark of the restore are deleted.
  let puts = 0
  s3.state.faultOf = ({ method }) =>
    method === 'PUT' && ++puts === 3 ? { status: 403, code: 'AccessDenied' } : undefined
  await expect(place.restore(file, store)).rejects.toThrow(UploadsUnavailable)
  expect([...s3.objects.keys()]).toEqual([])
  expect(Object.values(await place.content()).flat()).toEqual([])

  // The service is gone in the middle, as after a kill: what is there stays.
  s3.state.faultOf = ({ method }) =>
    method === 'DELETE' || (method === 'PUT' && ++puts === 6)
      ? { status: 403, code: 'AccessDenied' }
      : undefined
  await expect(place.restore(file, store)).rejects.toThrow(UploadsUnavailable)
  expect(s3.objects.size).toBe(2)
  s3.state.faultOf = () => undefined
  await expect(finishRestore(place.connection, store)).rejects.toThrow('A restore did not end: repeat it')
  await place.restore(file, store)
  expect(await filesIn(store)).toEqual(await filesIn(t.uploads))
  await finishRestore(place.connection, store)
  expect([...s3.objects.keys()].filter((key) => key.startsWith('.zimmer/'))).toEqual([])
})

test('an answer that is no list, or does not tell a time, deletes and restores nothing [S34 R20]', async () => {
  const { s3, store, put } = await startService()
  await put('covers/mine.webp', 'mine')
  s3.state.faultOf = ({ key }) => (key === '' ? { status: 200, code: 'None' } : undefined)
  await expect(store.removeUnused('covers', async (names) => names, never)).rejects.toThrow(
    UploadsUnavailable,
  )
  await expect(store.holdsFiles()).rejects.toThrow(UploadsUnavailable)
  expect(s3.objects.size).toBe(1)
})
