import { execFileSync } from 'node:child_process'
import { mkdir, readdir, rm, rmdir, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { eq, sql } from 'drizzle-orm'
import sharp from 'sharp'
import { expect, onTestFinished, test, vi } from 'vitest'
import { coverMaxBytes, picturesOnly } from '#contract/covers/cover.ts'
import { coverOf, coverPath } from '#contract/covers/paths.ts'
import { uploadCover } from '#contract/covers/endpoints.ts'
import { createPost } from '#contract/feed/endpoints.ts'
import { deleteTakenBackPost, takeBackPost } from '#contract/feed/own/endpoints.ts'
import { changePostVisibility } from '#contract/feed/review/endpoints.ts'
import { posts } from '#server/features/feed/index.ts'
import { auditLog } from '#server/platform/schema.ts'
import { openUploads } from '#server/platform/uploads/open-uploads.ts'
import { contentOf } from '#server/testing/content.ts'
import { untilLockWaits } from '#server/testing/lock-waits.ts'
import { isOpen } from '#server/testing/open-files.ts'
import { headOfPost, openCaller } from '#server/testing/raw-callers.ts'
import { until } from '#server/testing/stream-client.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { openUploadPlace, uploadsAreInS3 } from '#server/testing/upload-places.ts'
import { formOf } from '#server/testing/uploads.ts'
import { purgeCovers } from './routes.ts'
import { covers } from './schema.ts'

async function start(limitsRates = false) {
  const place = await openUploadPlace()
  const t = await startTestApp({ config: { limitsRates, ...place.config } })
  const uploads = place.placeOf(t.config.dataDir)
  const nameOf = (imageUrl: string) => `covers/${coverOf(imageUrl)!.id}.webp`
  const send = (who: Client, picture: Buffer, type = 'image/png') => {
    const payload = formOf('cover', new File([new Uint8Array(picture)], 'cover', { type }))
    return who.request({ method: 'POST', url: uploadCover.path, payload })
  }
  return {
    ...t,
    send,
    upload: async (who: Client, picture?: Buffer, type?: string) => {
      const answer = await send(who, picture ?? (await aPicture().png().toBuffer()), type)
      expect([answer.statusCode, answer.body]).toEqual([201, expect.any(String)])
      return answer.json<{ imageUrl: string }>().imageUrl
    },
    get: (url: string, method: 'GET' | 'HEAD' = 'GET') => t.request({ method, url }),
    uploads: uploads.files,
    remove: (imageUrl: string) => uploads.remove(nameOf(imageUrl)),
    age: (imageUrl: string) => uploads.age(nameOf(imageUrl)),
    has: async (imageUrl: string) => nameOf(imageUrl) in (await uploads.files()),
    /** The names of the files that are not received whole. */
    arriving: () => readdir(join(t.config.dataDir, 'uploads/arriving')).catch(() => []),
    purge: () =>
      purgeCovers({ database: t.db, uploads: openUploads(t.config) }, new AbortController().signal),
    pathOf: (imageUrl: string) => join(t.config.dataDir, 'uploads', nameOf(imageUrl)),
  }
}

/** A red picture. */
const aPicture = (width = 60, height = 40) =>
  sharp({ create: { width, height, channels: 3, background: '#c33' } })

const anArticle = (imageUrl: string) => ({ content: 'It was late.', authorName: 'Ana', imageUrl })

test('an admin uploads a cover and creates an article with it, and everybody reads the picture [POST-01 S33 S34 S35]', async () => {
  const t = await start()
  const admin = await t.admin()
  const imageUrl = await t.upload(admin)
  expect(coverOf(imageUrl)).toMatchObject({ width: 60, height: 40 })
  const post = await admin.does(createPost, { input: anArticle(imageUrl) })
  expect(post.imageUrl).toBe(imageUrl)
  const answer = await t.get(imageUrl)
  expect(answer.statusCode).toBe(200)
  expect(answer.headers).toMatchObject({
    'content-type': 'image/webp',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'public, max-age=300',
    'content-length': String(answer.rawPayload.length),
  })
  const head = await t.get(imageUrl, 'HEAD')
  expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([
    200,
    '',
    String(answer.rawPayload.length),
  ])
  expect(await t.db.select().from(covers)).toMatchObject([
    { ...coverOf(imageUrl), bytes: answer.rawPayload.length, postId: post.id },
  ])
})

test('an article with a cover that is unknown, taken, of another size or no cover at all is refused, and nothing changes [POST-01 S31]', async () => {
  const t = await start()
  const admin = await t.admin()
  const [taken, free] = [await t.upload(admin), await t.upload(admin)]
  await admin.does(createPost, { input: anArticle(taken) })
  const unknown = { id: '00000000-0000-7000-8000-000000000000', width: 60, height: 40 }
  const before = await contentOf(t.db)
  for (const imageUrl of [
    taken,
    coverPath(unknown),
    coverPath({ ...coverOf(free)!, width: 61 }),
    coverPath({ id: '-'.repeat(36), width: 1, height: 1 }),
    free.replace('/uploads/', '/%75ploads/'),
    free.replace('.webp', '.%zz'),
    `${free}?x=1`,
    free.replace('/uploads/', '/uploads/./'),
    free.replace('/uploads/', '/assets/../uploads/'),
    '/uploads/magazine/a.pdf',
  ]) {
    const answer = await admin.tries(createPost, { input: anArticle(imageUrl) })
    expect([imageUrl, answer.status, answer.code, Object.keys(answer.fields ?? {})]).toEqual([
      imageUrl,
      400,
      'InvalidInput',
      ['imageUrl'],
    ])
  }
  expect(await contentOf(t.db)).toEqual(before)
})

test('everybody reads the cover of a published post; that of a hidden or waiting one is not found, and no cache stores one without a post [ADM-18 S35]', async () => {
  const t = await start()
  const admin = await t.admin()
  const imageUrl = await t.upload(admin)
  const read = async () => {
    const { statusCode, headers } = await t.get(imageUrl)
    return [statusCode, headers['cache-control']]
  }
  expect(await read()).toEqual([200, 'private, no-store'])
  const { id } = await admin.does(createPost, { input: anArticle(imageUrl) })
  const change = (isVisible: boolean) =>
    admin.does(changePostVisibility, { params: { id }, input: { isVisible } })
  expect(await read()).toEqual([200, 'public, max-age=300'])
  await change(false)
  expect(await read()).toEqual([404, 'no-store'])
  await change(true)
  expect(await read()).toEqual([200, 'public, max-age=300'])
  await t.db.update(posts).set({ publishedAt: null, publishedOn: null })
  expect(await read()).toEqual([404, 'no-store'])
  await t.db.delete(posts)
  expect(await read()).toEqual([200, 'private, no-store'])
})

test('an address that names no cover is not found [S35]', async () => {
  const t = await start()
  for (const id of ['-'.repeat(36), '0'.repeat(36), '00000000-0000-4000-8000-000000000000'])
    expect((await t.get(coverPath({ id, width: 1, height: 1 }))).statusCode).toBe(404)
})

test.skipIf(uploadsAreInS3())(
  'a cover whose file is empty, a folder, a named pipe or gone is not found, and no file stays open [S35]',
  async () => {
    const t = await start()
    const imageUrl = await t.upload(await t.admin())
    const path = t.pathOf(imageUrl)
    const read = async () => (await t.get(imageUrl)).statusCode
    await truncate(path)
    expect([await read(), await isOpen(path)]).toEqual([404, false])
    await rm(path)
    expect(await read()).toBe(404)
    await mkdir(path)
    expect([await read(), await isOpen(path)]).toEqual([404, false])
    await rmdir(path)
    execFileSync('mkfifo', [path])
    expect([await read(), await isOpen(path)]).toEqual([404, false])
  },
)

test.skipIf(uploadsAreInS3())(
  'a process whose clock is three hours ahead deletes no file that was just stored [S34 R20]',
  async () => {
    const t = await start()
    const path = t.pathOf(await t.upload(await t.admin()))
    await t.db.delete(covers)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3 * 3_600_000 })
    onTestFinished(() => void vi.useRealTimers())
    await t.purge()
    expect((await stat(path)).isFile()).toBe(true)
  },
)

const formats = ['jpeg', 'png', 'webp', 'avif'] as const

test.each(formats)(
  'a large picture as %s becomes a WebP of 1600 pixels without place, camera, profile or anything behind its end [S33 S35]',
  async (format) => {
    const t = await start()
    const picture = await aPicture(2000, 1000)
      .withIccProfile('p3')
      .withExif({ IFD0: { Model: 'Camera of Ana' }, IFD3: { GPSLatitude: '52/1 31/1 0/1' } })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">Written by Ana</x:xmpmeta>')
      .toFormat(format)
      .toBuffer()
    expect((await sharp(picture).metadata()).exif).toBeDefined()
    const page = '<script>alert("Ana")</script>'
    const url = await t.upload(
      await t.admin(),
      Buffer.concat([picture, Buffer.from(page)]),
      `image/${format}`,
    )
    expect(coverOf(url)).toMatchObject({ width: 1600, height: 800 })
    const { rawPayload } = await t.get(url)
    const { exif, icc, xmp, iptc, ...stored } = await sharp(rawPayload).metadata()
    expect(stored).toMatchObject({ format: 'webp', width: 1600, height: 800 })
    expect([exif, icc, xmp, iptc]).toEqual([undefined, undefined, undefined, undefined])
    expect(rawPayload.includes('Ana')).toBe(false)
    const { data } = await sharp(rawPayload).raw().toBuffer({ resolveWithObject: true })
    expect(data[0]! > 180 && data[1]! < 90).toBe(true)
  },
)

test('a photograph that a camera has marked as turned is stored upright [S33]', async () => {
  const t = await start()
  const white = await sharp({ create: { width: 60, height: 80, channels: 3, background: '#fff' } })
    .png()
    .toBuffer()
  // The left half is white. The mark says: turn it to the right, so that this half is at the top.
  const turned = await sharp({ create: { width: 120, height: 80, channels: 3, background: '#000' } })
    .composite([{ input: white, left: 0, top: 0 }])
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  const url = await t.upload(await t.admin(), turned, 'image/jpeg')
  expect(coverOf(url)).toMatchObject({ width: 80, height: 120 })
  const { data, info } = await sharp((await t.get(url)).rawPayload)
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect([data[0]! > 200, data[(info.height - 1) * info.width * info.channels]! < 50]).toEqual([true, true])
})

test('of an animation the first picture is stored [S33]', async () => {
  const t = await start()
  const frames = await Promise.all(
    ['#c33', '#3c3', '#33c'].map((background) =>
      sharp({ create: { width: 60, height: 40, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
  const animation = await sharp(frames, { join: { animated: true } })
    .webp()
    .toBuffer()
  expect((await sharp(animation).metadata()).pages).toBe(3)
  const { rawPayload } = await t.get(await t.upload(await t.admin(), animation, 'image/webp'))
  expect(await sharp(rawPayload, { animated: true }).metadata()).toMatchObject({ width: 60, height: 40 })
  expect((await sharp(rawPayload).metadata()).pages).toBeUndefined()
})

test('a picture with 48 million pixels is taken [S33]', async () => {
  const t = await start()
  const url = await t.upload(await t.admin(), await aPicture(8000, 6000).jpeg().toBuffer(), 'image/jpeg')
  expect(coverOf(url)).toMatchObject({ width: 1600, height: 1200 })
})

/** A small PNG whose header promises another size. */
async function promising(width: number, height: number) {
  const png = await aPicture().png().toBuffer()
  png.writeUInt32BE(width, 16)
  png.writeUInt32BE(height, 20)
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29)
  return png
}

const text = (content: string) => async () => Buffer.from(content, 'latin1')
const half = (format: (typeof formats)[number]) => async () => {
  const picture = await aPicture(400, 300).toFormat(format).toBuffer()
  return picture.subarray(0, Math.floor(picture.length / 2))
}
const page = '<script>alert(1)</script>'
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
const exactly = (code: string) => ({ code, fields: undefined })
const noPicture = { code: 'InvalidInput', fields: { cover: picturesOnly } }

test.each<[string, () => Promise<Buffer>, { code: string; fields: object | undefined }, string?]>([
  ['of 60,000 x 1 pixels', () => aPicture(60_000, 1).png().toBuffer(), exactly('PictureTooLarge')],
  ['that promises 400 million pixels', () => promising(16_000, 25_000), exactly('PictureTooLarge')],
  ['that promises 64 million pixels', () => promising(8000, 8000), exactly('PictureTooLarge')],
  ['that promises more than it has', () => promising(500, 400), exactly('PictureUnreadable')],
  ...formats.map(
    (format) =>
      [`as ${format} that ends in the middle`, half(format), exactly('PictureUnreadable')] as [
        string,
        () => Promise<Buffer>,
        { code: string; fields: undefined },
      ],
  ),
  ['that begins like a JPEG and is a page', text(`\xff\xd8\xff${page}`), exactly('PictureUnreadable')],
  ['that begins like a PNG and is a page', text(`\x89PNG\r\n\x1a\n${page}`), exactly('PictureUnreadable')],
  ['that begins like a WebP and is a page', text(`RIFF0000WEBP${page}`), exactly('PictureUnreadable')],
  ['that begins like an AVIF and is a page', text(`0000ftypavif${page}`), exactly('PictureUnreadable')],
  ['that is a drawing', text(svg), noPicture],
  ['that is declared as a drawing', text(svg), noPicture, 'image/svg+xml'],
  ['that is a PDF', text('%PDF-1.7\n%%EOF\n'), noPicture],
  ['that is a page', text(`<!doctype html>${page}`), noPicture],
  ['that is a GIF and a script', text('GIF89a/*\x01\x00*/=1;alert(1)'), noPicture],
  ['that is a TIFF', () => aPicture().tiff().toBuffer(), noPicture],
  ['that is empty', text(''), noPicture],
])(
  'a cover %s is refused with a sentence, and neither rows nor files change [S33]',
  async (_what, make, { code, fields }, type) => {
    const t = await start()
    const admin = await t.admin()
    await t.upload(admin)
    const before = [await contentOf(t.db), await t.uploads()]
    const answer = await t.send(admin, await make(), type)
    const { error, ...refusal } = answer.json<{ error: string }>()
    expect([answer.statusCode, refusal, error.length > 20]).toEqual([
      400,
      { code, ...(fields && { fields }) },
      true,
    ])
    await until(async () => (await t.arriving()).length === 0 || undefined)
    expect([await contentOf(t.db), await t.uploads()]).toEqual(before)
  },
)

test('a cover of exactly 10 MiB is taken, and one of a byte more is refused [S33]', async () => {
  const t = await start()
  const admin = await t.admin()
  const picture = await aPicture().png().toBuffer()
  const padded = (bytes: number) => Buffer.concat([picture, Buffer.alloc(bytes - picture.length)])
  await t.upload(admin, padded(coverMaxBytes))
  const before = [await contentOf(t.db), await t.uploads()]
  expect((await t.send(admin, padded(coverMaxBytes + 1))).statusCode).toBe(413)
  expect([await contentOf(t.db), await t.uploads()]).toEqual(before)
})

test('nobody but an admin uploads a cover [PERM-14 S33]', async () => {
  const t = await start()
  const picture = await aPicture().png().toBuffer()
  for (const [who, status] of [
    [t.visitor(), 401],
    [await t.guest(), 403],
    [await t.person(), 403],
  ] as const)
    expect((await t.send(who, picture)).statusCode).toBe(status)
  expect([await t.db.$count(covers), await t.uploads()]).toEqual([0, {}])
})

test('an admin who disconnects during the upload of a cover leaves no file and no row [S33 S34]', async () => {
  const t = await start()
  const origin = await t.app.listen({ port: 0, host: '127.0.0.1' })
  const admin = await t.admin()
  const before = await contentOf(t.db)
  const type = 'multipart/form-data; boundary=x'
  const part = 'content-disposition: form-data; name="cover"; filename="a.png"\r\ncontent-type: image/png'
  const head = headOfPost(uploadCover.path, 100_000, { type, cookie: `sid=${admin.cookies.get('sid')}` })
  const leaving = await openCaller(origin, `${head}--x\r\n${part}\r\n\r\n\x89PNG`)
  await until(async () => (await t.arriving()).length === 1 || undefined)
  leaving.socket.destroy()
  await until(async () => (await t.arriving()).length === 0 || undefined)
  expect([await contentOf(t.db), await t.uploads()]).toEqual([before, {}])
})

test('two admins upload at the same moment, and each gets a cover of their own [S34 R5]', async () => {
  const t = await start()
  const [one, other] = [await t.admin(), await t.admin()]
  const [first, second] = await Promise.all([t.upload(one), t.upload(other)])
  expect(first).not.toBe(second)
  for (const url of [first, second]) expect((await t.get(url)).statusCode).toBe(200)
  const lines = (await t.db.select().from(auditLog)).filter(({ action }) => action === 'cover-uploaded')
  expect(lines.map(({ actorId }) => actorId).toSorted()).toEqual([one.me.id, other.me.id].toSorted())
  expect(lines.map(({ subjectId }) => subjectId).toSorted()).toEqual(
    [first, second].map((url) => coverOf(url)!.id).toSorted(),
  )
})

test('two admins create an article with the same cover at the same moment, and one of them is refused [R5 R6]', async () => {
  const t = await start()
  const [one, other] = [await t.admin(), await t.admin()]
  const input = anArticle(await t.upload(one))
  const answers = await Promise.all([one.tries(createPost, { input }), other.tries(createPost, { input })])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400])
  expect(await t.db.$count(posts)).toBe(1)
})

test('a cover that no post uses goes after a day, its file an hour later; a used one goes a day after its post [S34]', async () => {
  const t = await start()
  const admin = await t.admin()
  const [unused, used] = [await t.upload(admin), await t.upload(admin)]
  const { id } = await admin.does(createPost, { input: anArticle(used) })
  const found = async () => [await t.get(unused), await t.get(used)].map(({ statusCode }) => statusCode)
  const hours = (count: number) => t.clock.advance(count * 3_600_000)
  for (const url of [unused, used]) await t.age(url)
  hours(23)
  await t.purge()
  expect(await found()).toEqual([200, 200])
  hours(2)
  await t.purge()
  expect(await found()).toEqual([404, 200])
  // A backup that has begun before may need it.
  expect(await t.has(unused)).toBe(true)
  await t.age(unused)
  await t.purge()
  expect(Object.keys(await t.uploads())).toEqual([`covers/${coverOf(used)!.id}.webp`])
  await t.db.delete(posts).where(eq(posts.id, id))
  await t.purge()
  expect(await found()).toEqual([404, 404])
})

test('an author deletes a post that was taken back, and the file of its cover stays for an hour, for a backup that has begun [LOOP-10 R19]', async () => {
  const t = await start()
  const admin = await t.admin()
  const cover = await t.upload(admin)
  const { id } = await admin.does(createPost, { input: anArticle(cover) })
  await admin.does(takeBackPost, { params: { id } })
  await t.age(cover)
  await admin.does(deleteTakenBackPost, { params: { id } })
  t.clock.advance(25 * 3_600_000)
  await t.purge()
  expect([(await t.get(cover)).statusCode, await t.db.$count(covers)]).toEqual([404, 0])
  expect(await t.has(cover)).toBe(true)
  await t.age(cover)
  await t.purge()
  expect(await t.uploads()).toEqual({})
})

test('rows of unused covers are deleted although their files are missing [S34]', async () => {
  const t = await start()
  await t.remove(await t.upload(await t.admin()))
  t.clock.advance(25 * 3_600_000)
  await t.purge()
  expect(await t.db.$count(covers)).toBe(0)
})

test('a post that takes a cover while old covers are deleted keeps it [S34 R5]', async () => {
  const t = await start()
  const imageUrl = await t.upload(await t.admin())
  t.clock.advance(25 * 3_600_000)
  const admin = await t.admin()
  await t.db.execute(sql`
    create function wait() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(1, 2); return null; end $$`)
  // The article waits here in its commit.
  await t.db.execute(sql`
    create constraint trigger wait after update on covers deferrable initially deferred
    for each row execute function wait()`)
  const { created, purged } = await t.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(1, 2)`)
    const sent = admin.does(createPost, { input: anArticle(imageUrl) })
    await untilLockWaits(t.db)
    const deleted = t.purge()
    await untilLockWaits(t.db, 2)
    return { created: sent, purged: deleted }
  })
  await Promise.all([created, purged])
  expect((await t.get(imageUrl)).statusCode).toBe(200)
})

test('a reader who asks for a cover by a wrong address gets 404, and no cache stores the answer [S8 S35]', async () => {
  const t = await start()
  const url = await t.upload(await t.admin())
  for (const wrong of [
    coverPath({ id: '00000000-0000-7000-8000-000000000000', width: 60, height: 40 }),
    coverPath({ ...coverOf(url)!, height: 41 }),
    url.replace('_60x40', ''),
    url.replace('.webp', '.png'),
    url.replace('covers', 'magazine'),
    '/uploads/covers/',
    '/uploads/covers/..%2fcovers',
  ]) {
    const answer = await t.get(wrong)
    expect([wrong, answer.statusCode, answer.headers['cache-control']]).toEqual([wrong, 404, 'no-store'])
  }
})

test('a cover whose row cannot be stored is answered as a failure, and its file is not served [S34]', async () => {
  const t = await start()
  const admin = await t.admin()
  await t.db.execute(sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`)
  await t.db.execute(sql`
    create trigger refuse before insert on covers for each row execute function refuse()`)
  const before = await contentOf(t.db)
  expect((await t.send(admin, await aPicture().png().toBuffer())).statusCode).toBe(500)
  expect(await contentOf(t.db)).toEqual(before)
  const [name] = Object.keys(await t.uploads())
  expect((await t.get(`/uploads/${name!.replace('.webp', '_60x40.webp')}`)).statusCode).toBe(404)
})

test('an admin uploads ten files an hour, and the next cover is refused before it is read [S47]', async () => {
  const t = await start(true)
  const admin = await t.admin()
  for (let count = 0; count < 10; count++)
    expect((await t.send(admin, Buffer.from('no picture'))).statusCode).toBe(400)
  const answer = await t.send(admin, await aPicture().png().toBuffer())
  expect([answer.statusCode, Number(answer.headers['retry-after']) > 0]).toEqual([429, true])
  expect(await t.uploads()).toEqual({})
})
