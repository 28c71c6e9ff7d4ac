import { readdir, stat, truncate, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { getCurrentIssue } from '#contract/magazine/endpoints.ts'
import { issueMaxBytes, issuePath, pdfOnly } from '#contract/magazine/issue.ts'
import { auditLog } from '#server/platform/schema.ts'
import { openUploads } from '#server/platform/uploads/open-uploads.ts'
import { contentOf } from '#server/testing/content.ts'
import { isOpen } from '#server/testing/open-files.ts'
import { headOfPost, openCaller } from '#server/testing/raw-callers.ts'
import { until } from '#server/testing/stream-client.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { openUploadPlace, uploadsAreInS3 } from '#server/testing/upload-places.ts'
import { aPdf, formOf, pdfText } from '#server/testing/uploads.ts'
import { purgeIssues } from './routes.ts'

/** The name of a file among the uploads. */
const nameOf = (url: string) => url.replace('/uploads/', '')

async function start(limitsRates = false) {
  const place = await openUploadPlace()
  const t = await startTestApp({ config: { limitsRates, ...place.config } })
  const uploads = place.placeOf(t.config.dataDir)
  const purge = () =>
    purgeIssues({ database: t.db, uploads: openUploads(t.config) }, new AbortController().signal)
  const send = (who: Client, payload: FormData | string, headers: Record<string, string> = {}) =>
    who.request({ method: 'POST', url: '/api/upload-litmag', payload, headers })
  return {
    ...t,
    send,
    upload: async (who: Client, content?: string) => {
      const answer = await send(who, formOf('litmag', aPdf(content)))
      expect(answer.statusCode).toBe(201)
      return answer.json<{ url: string }>().url
    },
    get: (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
      t.request({ method, url, headers }),
    put: uploads.put,
    age: uploads.age,
    uploads: uploads.files,
    /** The names of incompletely received files. */
    arriving: () => readdir(join(t.config.dataDir, 'uploads/arriving')).catch(() => []),
    pathOf: (url: string) => join(t.config.dataDir, url),
    purge,
    /** Purges of two later hours, for files that were stored long ago. In S3 the first one marks a file, and the second deletes it. */
    purgeLater: async (names: string[]) => {
      for (let count = 0; count < 2; count++) {
        const there = await uploads.files()
        for (const name of names) if (name in there) await uploads.age(name)
        await purge()
      }
    },
  }
}

test('an admin uploads a PDF, and everybody finds it as the current issue and downloads the same bytes [UPL-01 UPL-03 UPL-04 UPL-07 API-46 PERM-14 S34 S35]', async () => {
  const t = await start()
  const current = (who: Client) => who.does(getCurrentIssue)
  expect(await current(t.visitor())).toEqual({ url: null })
  const first = await t.upload(await t.admin())
  const content = `${pdfText}${'%'.repeat(900)}`
  const second = await t.upload(await t.admin(), content)
  expect(second).toMatch(/^\/uploads\/magazine\/[0-9a-f-]{36}\.pdf$/)
  for (const who of [t.visitor(), await t.guest(), await t.person()])
    expect(await current(who)).toEqual({ url: second })
  for (const [url, bytes] of [
    [first, pdfText],
    [second, content],
  ] as const) {
    const answer = await t.get(url)
    expect([answer.statusCode, answer.body]).toEqual([200, bytes])
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf',
      'x-content-type-options': 'nosniff',
      'content-disposition': 'attachment; filename="literary-magazine.pdf"',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-length': String(bytes.length),
    })
    const head = await t.get(url, {}, 'HEAD')
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([
      200,
      '',
      String(bytes.length),
    ])
  }
  // The path is outside of the folder of the built page.
  expect(Object.keys(await t.uploads()).toSorted()).toEqual(
    [first, second].map((url) => url.replace('/uploads/', '')).toSorted(),
  )
})

test('a reader downloads a part of an issue, and continues after an interruption [S35]', async () => {
  const t = await start()
  const url = await t.upload(await t.admin())
  const length = pdfText.length
  for (const [range, status, body, told] of [
    ['bytes=0-4', 206, '%PDF-', `bytes 0-4/${length}`],
    [`bytes=${length - 6}-`, 206, '%%EOF\n', `bytes ${length - 6}-${length - 1}/${length}`],
    [`bytes=${length - 6}-999999`, 206, '%%EOF\n', `bytes ${length - 6}-${length - 1}/${length}`],
    [`bytes=${length}-`, 200, pdfText, undefined],
    ['bytes=4-0', 200, pdfText, undefined],
    ['bytes=0-1,3-4', 200, pdfText, undefined],
    ['lines=0-1', 200, pdfText, undefined],
  ] as const) {
    const answer = await t.get(url, { range })
    const got = [range, answer.statusCode, answer.body, answer.headers['content-range']]
    expect(got).toEqual([range, status, body, told])
    expect(answer.headers['content-length']).toBe(String(body.length))
  }
  expect((await t.get(url, { range: 'bytes=0-4', 'if-range': '"another"' })).statusCode).toBe(200)
})

test('a reader who asks for an issue by a wrong address gets 404, and no cache stores the answer [S8 S35]', async () => {
  const t = await start()
  const url = await t.upload(await t.admin())
  await t.put('secret.pdf', 'secret')
  const unknown = issuePath('00000000-0000-7000-8000-000000000000')
  for (const wrong of [
    unknown,
    url.replace('.pdf', ''),
    url.replace('.pdf', '.html'),
    url.replace('.pdf', '.PDF'),
    url.replace('magazine/', ''),
    '/uploads/magazine/',
    '/uploads/magazine/..%2fsecret.pdf',
    '/uploads/magazine/%2e%2e%2fsecret.pdf',
    '/uploads/secret.pdf',
  ]) {
    const answer = await t.get(wrong)
    expect([wrong, answer.statusCode, answer.body.includes('secret')]).toEqual([wrong, 404, false])
    expect(answer.headers['cache-control']).toBe('no-store')
  }
})

test.runIf(process.platform === 'linux' && !uploadsAreInS3())(
  'the server closes the file of an issue after a GET, a HEAD, a reader who leaves and an empty file, which is not found [S35]',
  async () => {
    const t = await start()
    const url = await t.upload(await t.admin(), `${pdfText.slice(0, -6)}${'%'.repeat(15_000_000)}\n%%EOF\n`)
    const path = t.pathOf(url)
    const origin = await t.app.listen({ port: 0, host: '127.0.0.1' })
    const read = async (method: string) => {
      const answer = await fetch(`${origin}${url}`, { method })
      return [answer.status, (await answer.arrayBuffer()).byteLength]
    }
    const isClosed = () => until(async () => !(await isOpen(path)) || undefined)
    const { size } = await stat(path)
    expect(await read('GET')).toEqual([200, size])
    await isClosed()
    expect(await read('HEAD')).toEqual([200, 0])
    await isClosed()
    const leaving = await openCaller(origin, `GET ${url} HTTP/1.1\r\nhost: localhost\r\n\r\n`, {
      reads: false,
    })
    await until(async () => (await isOpen(path)) || undefined)
    leaving.socket.destroy()
    await isClosed()
    await truncate(path)
    expect((await read('GET'))[0]).toBe(404)
    expect((await read('HEAD'))[0]).toBe(404)
    await isClosed()
  },
)

const refused = { code: 'InvalidInput', error: pdfOnly, fields: { litmag: pdfOnly } }
const twoParts = formOf('litmag', aPdf())
twoParts.append('litmag', aPdf())
const sixParts = formOf('litmag', aPdf())
for (const name of ['a', 'b', 'c', 'd', 'e']) sixParts.append(name, name)
const textAlone = new FormData()
textAlone.append('litmag', pdfText)
const longHead = `--x\r\ncontent-disposition: form-data; name="litmag"; filename="${'a'.repeat(9000)}.pdf"\r\ncontent-type: application/pdf\r\n\r\n${pdfText}\r\n--x--\r\n`
const inX = { 'content-type': 'multipart/form-data; boundary=x' }

test.each<[string, FormData | string, Record<string, string>?]>([
  ['does not begin like a PDF', formOf('litmag', aPdf(pdfText.replace('%PDF-', '%!PS-')))],
  ['begins one byte later like a PDF', formOf('litmag', aPdf(` ${pdfText}`))],
  ['does not end like a PDF', formOf('litmag', aPdf('%PDF-1.7\n'))],
  ['ends like a PDF before its last KiB', formOf('litmag', aPdf(`${pdfText}${'a'.repeat(1024)}`))],
  ['is empty', formOf('litmag', aPdf(''))],
  ['is shorter than the mark of a PDF', formOf('litmag', aPdf('%PDF'))],
  ['is declared as a picture', formOf('litmag', aPdf(pdfText, 'a.pdf', 'image/png'))],
  ['is declared as bytes', formOf('litmag', aPdf(pdfText, 'a.pdf', 'application/octet-stream'))],
  ['is named as a page', formOf('litmag', aPdf(pdfText, 'a.pdf.html'))],
  ['is named without an ending', formOf('litmag', aPdf(pdfText, 'pdf'))],
  ['has another field', formOf('file', aPdf())],
  ['comes twice', twoParts],
  ['comes with five more parts', sixParts],
  ['is a text field', textAlone],
  ['is missing', new FormData()],
])(
  'an upload whose file %s is refused with the sentence for it, and neither rows nor files change [UPL-01 UPL-02 S33]',
  async (_what, body, headers = {}) => {
    const t = await start()
    const admin = await t.admin()
    await t.upload(admin)
    const before = [await contentOf(t.db), await t.uploads()]
    const answer = await t.send(admin, body, headers)
    expect([answer.statusCode, answer.json()]).toEqual([400, refused])
    expect([await contentOf(t.db), await t.uploads()]).toEqual(before)
  },
)

test.each<[string, FormData | string, Record<string, string>, number]>([
  ['whose part has headers of over 8 KiB', longHead, inX, 400],
  ['that ends before its part does', longHead.slice(0, 200), inX, 400],
  ['without a boundary', longHead, { 'content-type': 'multipart/form-data; charset=utf-8' }, 400],
  ['as JSON', '{"litmag":"%PDF-"}', { 'content-type': 'application/json' }, 415],
  ['with one byte too many', formOf('litmag', aPdf(pdfText.padStart(issueMaxBytes + 1, '%'))), {}, 413],
  ['of twice the size', formOf('litmag', aPdf('%'.repeat(2 * issueMaxBytes))), {}, 413],
])(
  'an upload %s is refused, and neither rows nor files change [S33]',
  async (_what, body, headers, status) => {
    const t = await start()
    const admin = await t.admin()
    await t.upload(admin)
    const before = [await contentOf(t.db), await t.uploads()]
    expect((await t.send(admin, body, headers)).statusCode).toBe(status)
    expect([await contentOf(t.db), await t.uploads()]).toEqual(before)
  },
)

test('a PDF of exactly 20 MiB is accepted, in any language and with any name [UPL-01 S33]', async () => {
  const t = await start()
  const content = pdfText.padEnd(issueMaxBytes - 6, '%').concat('%%EOF\n')
  const file = aPdf(content, '../../Größe <b>.PDF')
  const answer = await t.send(await t.admin(), formOf('litmag', file))
  expect(answer.statusCode).toBe(201)
  const { url } = answer.json<{ url: string }>()
  expect(Object.values(await t.uploads()).map(({ length }) => length)).toEqual([issueMaxBytes])
  expect((await t.get(url)).body).toBe(content)
})

test('nobody but an admin uploads, and the server does not read what others send [PERM-14 S33]', async () => {
  const t = await start()
  const origin = await t.app.listen({ port: 0, host: '127.0.0.1' })
  const before = [await contentOf(t.db), await t.uploads()]
  const [guest, person] = [await t.guest(), await t.person()]
  const changed = await contentOf(t.db)
  expect(before[1]).toEqual({})
  for (const [who, status] of [
    [t.visitor(), 401],
    [guest, 403],
    [person, 403],
  ] as const) {
    const cookie = `sid=${who.cookies.get('sid') ?? ''}`
    const { 'content-type': type } = inX
    // The caller never sends the body.
    const caller = await openCaller(origin, headOfPost('/api/upload-litmag', 100_000, { type, cookie }))
    await until(() => caller.said !== '' || undefined)
    expect(caller.said).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  }
  const { audit_log: _one, ...rows } = await contentOf(t.db)
  const { audit_log: _other, ...same } = changed
  expect([rows, await t.uploads()]).toEqual([same, {}])
})

test('an admin who disconnects during an upload, or sends more than declared, leaves no file and no row [S33 S34]', async () => {
  const t = await start()
  const origin = await t.app.listen({ port: 0, host: '127.0.0.1' })
  const admin = await t.admin()
  const cookie = `sid=${admin.cookies.get('sid')}`
  const type = inX['content-type']
  const head = longHead.replace('a'.repeat(9000), 'issue')
  const before = await contentOf(t.db)
  const half = `${headOfPost('/api/upload-litmag', 100_000, { type, cookie })}${head.replace('\r\n--x--\r\n', '')}`
  const leaving = await openCaller(origin, half)
  await until(async () => (await t.arriving()).length === 1 || undefined)
  leaving.socket.destroy()
  await until(async () => (await t.arriving()).length === 0 || undefined)
  // The part ends within the declared length, but the body is longer.
  const short = `${headOfPost('/api/upload-litmag', head.length - 20, { type, cookie })}${head}`
  const lying = await openCaller(origin, short)
  await until(() => lying.said !== '' || undefined)
  expect(lying.said).toMatch(/^HTTP\/1\.1 400 /)
  await until(async () => (await t.arriving()).length === 0 || undefined)
  expect(await contentOf(t.db)).toEqual(before)
})

test('of 30 issues the newest 24 stay; older rows go at once and their files within the next hours [S34]', async () => {
  const t = await start()
  const admin = await t.admin()
  const urls: string[] = []
  for (let count = 0; count < 30; count++) {
    t.clock.advance(1000)
    urls.push(await t.upload(admin))
  }
  const { magazine_issues: rows } = await contentOf(t.db)
  expect(rows).toHaveLength(24)
  for (const [place, url] of urls.entries())
    expect([place, (await t.get(url)).statusCode]).toEqual([place, place < 6 ? 404 : 200])
  // A backup that has begun before may need them.
  await t.purge()
  expect(Object.keys(await t.uploads())).toHaveLength(30)
  await t.purgeLater(urls.map(nameOf))
  const left = Object.keys(await t.uploads()).map((name) => `/uploads/${name}`)
  expect(left).toEqual(urls.slice(6).toSorted())
})

test.skipIf(uploadsAreInS3())(
  'the hour of a replaced issue begins before its row is deleted, so that a purge at that moment leaves its file [S34 R2]',
  async () => {
    const t = await start()
    const admin = await t.admin()
    const first = t.pathOf(await t.upload(admin))
    for (let count = 1; count < 24; count++) await t.upload(admin)
    await utimes(first, 0, 0)
    await t.db.execute(sql`
    create function wait() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(1, 2); return null; end $$`)
    // The upload waits here in its commit.
    await t.db.execute(sql`
    create constraint trigger wait after delete on magazine_issues deferrable initially deferred
    for each row execute function wait()`)
    const upload = await t.db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(1, 2)`)
      const sent = t.upload(admin)
      await until(async () => (await stat(first)).mtimeMs > 0 || undefined)
      return { sent }
    })
    await upload.sent
    await t.purge()
    expect((await stat(first)).isFile()).toBe(true)
    expect((await contentOf(t.db)).magazine_issues).toHaveLength(24)
  },
)

test('two admins who upload at the same moment leave 24 issues, each with its file [S34 R5]', async () => {
  const t = await start()
  const [one, other] = [await t.admin(), await t.admin()]
  for (let count = 0; count < 24; count++) await t.upload(one)
  const [first, second] = await Promise.all([t.upload(one), t.upload(other)])
  const { magazine_issues: rows } = await contentOf(t.db)
  expect(rows).toHaveLength(24)
  for (const url of [first, second]) expect((await t.get(url)).body).toBe(pdfText)
})

test('a file that a killed server left without a row is deleted by the purge of a later hour, and a young one is not [S34 R2]', async () => {
  const t = await start()
  const url = await t.upload(await t.admin())
  const [old, young] = ['1', '2'].map((end) =>
    nameOf(issuePath(`00000000-0000-7000-8000-00000000000${end}`)),
  ) as [string, string]
  for (const name of [old, young]) await t.put(name, pdfText)
  await t.purgeLater([old, nameOf(url)])
  expect(Object.keys(await t.uploads())).toEqual([young, nameOf(url)].toSorted())
})

test('other files in the folder do not stop the purge, and stay [S34]', async () => {
  const t = await start()
  const unused = nameOf(issuePath('00000000-0000-7000-8000-000000000001'))
  const names = ['.DS_Store', '.nfs0000000000000001', 'an issue.pdf', '00000000-0000-7000-8000-000000000002']
  const others = names.map((name) => `magazine/${name}`)
  for (const name of [unused, ...others]) await t.put(name, pdfText)
  await t.purgeLater([unused, ...others])
  expect(Object.keys(await t.uploads())).toEqual(others.toSorted())
})

test('an upload whose row cannot be stored is answered as a failure, is no issue, and its file is not served [S34]', async () => {
  const t = await start()
  const admin = await t.admin()
  const url = await t.upload(admin)
  await t.db.execute(sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`)
  await t.db.execute(sql`
    create trigger refuse before insert on magazine_issues for each row execute function refuse()`)
  const before = await contentOf(t.db)
  expect((await t.send(admin, formOf('litmag', aPdf()))).statusCode).toBe(500)
  expect(await contentOf(t.db)).toEqual(before)
  expect(await t.visitor().does(getCurrentIssue)).toEqual({ url })
  for (const name of Object.keys(await t.uploads()))
    expect((await t.get(`/uploads/${name}`)).statusCode).toBe(`/uploads/${name}` === url ? 200 : 404)
})

test('the audit log names who uploaded which issue, and a retry with the same key adds no second one [S49 R7]', async () => {
  const t = await start()
  const admin = await t.admin()
  const headers = { 'idempotency-key': 'one' }
  const answers = []
  for (let count = 0; count < 2; count++)
    answers.push((await t.send(admin, formOf('litmag', aPdf()), headers)).json<{ url: string }>())
  expect(answers[1]).toEqual(answers[0])
  const lines = (await t.db.select().from(auditLog)).filter(({ action }) => action === 'magazine-uploaded')
  expect(lines).toMatchObject([{ actorId: admin.me.id }])
  expect(answers[0]!.url).toBe(issuePath(lines[0]!.subjectId!))
  // The file of the retry is deleted after the answer.
  await until(async () => (await t.arriving()).length === 0 || undefined)
  expect(Object.keys(await t.uploads())).toEqual([answers[0]!.url.replace('/uploads/', '')])
})

test('two uploads with one key at the same moment add one issue and get one answer, and one of another file is refused [R6 R7]', async () => {
  const t = await start()
  const admin = await t.admin()
  const headers = { 'idempotency-key': 'one' }
  const send = () => t.send(admin, formOf('litmag', aPdf()), headers)
  const [first, second] = await Promise.all([send(), send()])
  expect([first.statusCode, second.statusCode, second.json()]).toEqual([201, 201, first.json()])
  expect((await contentOf(t.db)).magazine_issues).toHaveLength(1)
  expect((await t.get(first.json<{ url: string }>().url)).body).toBe(pdfText)
  const other = await t.send(admin, formOf('litmag', aPdf(`${pdfText}%`)), headers)
  expect([other.statusCode, other.json<{ code: string }>().code]).toEqual([400, 'IdempotencyKeyReused'])
  // The key expires after 24 hours. The purge deletes it later.
  await t.db.execute(sql`update idempotency_keys set created_at = created_at - interval '25 hours'`)
  const later = await send()
  expect([later.statusCode, later.json<{ url: string }>().url === first.json<{ url: string }>().url]).toEqual(
    [201, false],
  )
})

test('an admin uploads ten times an hour, and the eleventh is refused before it is read [S47]', async () => {
  const t = await start(true)
  const admin = await t.admin()
  for (let count = 0; count < 10; count++) await t.upload(admin)
  const before = [await contentOf(t.db), await t.uploads()]
  const answer = await t.send(admin, formOf('litmag', aPdf()))
  expect([answer.statusCode, Number(answer.headers['retry-after']) > 0]).toEqual([429, true])
  expect([await contentOf(t.db), await t.uploads()]).toEqual(before)
})
