import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { uploadCover } from '#contract/covers/endpoints.ts'
import { createPost } from '#contract/feed/endpoints.ts'
import { allFileKinds } from '#server/features.ts'
import { makeBackup } from '#server/platform/backup/backup.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { emptyPlaceIn, ownMigrations } from '#server/testing/backup-places.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { aPng, formOf } from '#server/testing/uploads.ts'
import { openUploads } from '#server/platform/uploads/open-uploads.ts'

test('the articles of a restored instance have their covers, and a cover without an article can be used there [R19 S34]', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zimmer-covers-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const t = await startTestApp({ config: { limitsRates: false } })
  const admin = await t.admin()
  const upload = async () => {
    const payload = formOf('cover', aPng())
    const answer = await admin.request({ method: 'POST', url: uploadCover.path, payload })
    return answer.json<{ imageUrl: string }>().imageUrl
  }
  const [used, unused] = [await upload(), await upload()]
  const anArticle = (imageUrl: string) => ({ content: 'It was late.', authorName: 'Ana', imageUrl })
  await admin.does(createPost, { input: anArticle(used) })
  const file = join(folder, 'backup.tar.zst')
  const uploads = openUploads(t.config)
  await makeBackup({ connection: t.connection, uploads, kinds: allFileKinds, now: t.clock.now() }, file)

  const empty = await emptyPlaceIn(folder)
  await empty.restore(file)
  await migrate(empty.connection, ownMigrations)
  const dataDir = join(folder, 'restored')
  await mkdir(dataDir)
  await rename(empty.uploads, join(dataDir, 'uploads'))
  const place = { name: 'restored', connection: empty.connection, drop: async () => {} }
  const restored = await startTestApp({ place, config: { dataDir } })
  for (const url of [used, unused])
    expect((await restored.request({ method: 'GET', url })).rawPayload).toEqual(
      (await t.request({ method: 'GET', url })).rawPayload,
    )
  const other = await restored.admin({ email: 'other@example.org', firstName: 'Other' })
  expect((await other.tries(createPost, { input: anArticle(used) })).status).toBe(400)
  expect((await other.tries(createPost, { input: anArticle(unused) })).status).toBe(201)
})
