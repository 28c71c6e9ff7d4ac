import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { coverFiles, covers } from '#server/features/covers/schema.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { UploadsUnavailable } from '#server/platform/uploads/upload-store.ts'
import { filesOf } from '#server/testing/backup-places.ts'
import { openS3Server, type S3Server } from '#server/testing/s3-server.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { s3Place } from '#server/testing/upload-places.ts'
import { aPdf, formOf, pdfText } from '#server/testing/uploads.ts'
import { checks } from './doctor.ts'
import type { Place } from './place.ts'
import { copyUploads } from './uploads.ts'

/** An instance that stores its uploads in the folder, and a service that it does not use yet. */
async function start(issues = 3) {
  const s3 = await openS3Server()
  onTestFinished(s3.close)
  const t = await startTestApp({ config: { limitsRates: false } })
  const admin = await t.admin()
  const upload = async (content = pdfText) => {
    const payload = formOf('litmag', aPdf(content))
    const answer = await admin.request({ method: 'POST', url: '/api/upload-litmag', payload })
    return answer.json<{ url: string }>().url.replace('/uploads/', '')
  }
  const names: string[] = []
  for (let count = 0; count < issues; count++) names.push(await upload(`${pdfText}% ${count}\n%%EOF`))
  const place: Place = {
    config: { ...t.config, ...s3.config },
    connection: t.connection,
    database: t.db,
    clock: t.clock,
    random: systemRandom,
  }
  const folder = join(t.config.dataDir, 'uploads')
  return {
    ...t,
    s3,
    names,
    upload,
    place,
    folder,
    inFolder: () => filesOf(folder),
    inBucket: s3Place(s3).files,
  }
}

const refuse = { status: 403, code: 'AccessDenied' } as const

/** From the nth of these calls on the service refuses all. */
function failFrom({ state }: S3Server, method: string, nth: number) {
  let count = 0
  state.faultOf = (call) => (call.method === method && ++count >= nth ? refuse : undefined)
}

test('an operator copies the uploads into a bucket, again after an interruption and after new uploads, and nothing is deleted [R19]', async () => {
  const t = await start()
  failFrom(t.s3, 'PUT', 3)
  await expect(copyUploads(t.place, 's3')).rejects.toThrow(UploadsUnavailable)
  expect(Object.keys(await t.inBucket())).toHaveLength(1)
  t.s3.state.faultOf = () => undefined
  expect(await copyUploads(t.place, 's3')).toBe(
    '2 files were copied into the bucket zimmer, and 1 were there. Nothing was deleted. Start the servers with UPLOADS_S3_…, and run this command again with them.',
  )
  const before = await t.inFolder()
  expect(await t.inBucket()).toEqual(before)
  // The servers still use the folder.
  await t.upload()
  expect(await copyUploads(t.place, 's3')).toMatch(/^1 files were copied into the bucket zimmer, and 3 were/)
  expect(await copyUploads(t.place, 's3')).toBe(
    `0 files were copied into the bucket zimmer, and 4 were there. Nothing was deleted. Start the servers with UPLOADS_S3_…. If they run so already, you may delete magazine and covers in the folder ${t.folder}.`,
  )
  expect(await t.inBucket()).toEqual(await t.inFolder())
  expect(await readdir(join(t.folder, 'arriving'))).toEqual([])
})

test('an operator copies the uploads back into a folder, and the instance serves them from there [R19]', async () => {
  const t = await start()
  await copyUploads(t.place, 's3')
  const before = await t.inFolder()
  await rm(join(t.folder, 'magazine'), { recursive: true })
  failFrom(t.s3, 'GET', 6)
  await expect(copyUploads(t.place, 'folder')).rejects.toThrow(UploadsUnavailable)
  t.s3.state.faultOf = () => undefined
  expect(await copyUploads(t.place, 'folder')).toMatch(
    /Start the servers without UPLOADS_S3_…, and run this command again with them/,
  )
  expect([await t.inFolder(), await t.inBucket()]).toEqual([before, before])
  expect((await t.request({ method: 'GET', url: `/uploads/${t.names[0]}` })).statusCode).toBe(200)
})

test('a copy that differs is replaced, and one that the service damages is reported [R19 R29]', async () => {
  const t = await start(1)
  const [name] = t.names as [string]
  const bucket = s3Place(t.s3)
  await bucket.put(name, '%PDF- of another length')
  expect(await copyUploads(t.place, 's3')).toMatch(/^1 files were copied/)
  expect(await t.inBucket()).toEqual(await t.inFolder())
  await bucket.put(name, 'x'.repeat(Object.values(await t.inFolder())[0]!.length))
  // The service answers every PUT with success and stores nothing.
  t.s3.state.faultOf = ({ method }) => (method === 'PUT' ? 'forgets' : undefined)
  await expect(copyUploads(t.place, 's3')).rejects.toThrow(
    `The copy of ${name} in the bucket zimmer differs.`,
  )
})

test('an operator reads which files are in neither place, and that the settings are missing [R19]', async () => {
  const t = await start(1)
  const id = '00000000-0000-7000-8000-000000000000'
  const cover = { id, uploadedAt: t.clock.now().toISOString(), bytes: 1, width: 1, height: 1, postId: null }
  await t.db.insert(covers).values(cover)
  await expect(copyUploads(t.place, 's3')).rejects.toThrow(
    `1 files were copied into the bucket zimmer, and 0 were there. Nothing was deleted. The database names files that are in neither place: "${coverFiles.kind}/${id}.webp"`,
  )
  await expect(copyUploads({ ...t.place, config: t.config }, 's3')).rejects.toThrow(
    'Give this command UPLOADS_S3_ENDPOINT',
  )
})

test('an operator reads whether the bucket can be reached and written, and which files are missing in it [R19]', async () => {
  const t = await start(2)
  const check = () => checks.uploads!(t.place)
  expect((await check())[1]).toContain(
    'Of 2 uploaded files 2 are missing in the bucket zimmer, such as magazine/',
  )
  await copyUploads(t.place, 's3')
  expect(await check()).toEqual(['fine', 'All 2 uploaded files are in the bucket zimmer.'])
  // The check leaves nothing. One object names the installation.
  expect(t.s3.objects.size).toBe(3)
  failFrom(t.s3, 'PUT', 1)
  expect(await check()).toEqual([
    'wrong',
    'The bucket zimmer cannot be used (PUT .zimmer/doctor: The answer is 403 AccessDenied.). Start the service, or correct the settings UPLOADS_S3_….',
  ])
  await t.s3.close()
  expect((await check())[1]).toContain('ECONNREFUSED')
})
