import { expect, test } from 'vitest'
import { uploadCover } from '#contract/covers/endpoints.ts'
import { createPost } from '#contract/feed/endpoints.ts'
import { restoredCopyOf, startRestored } from '#server/testing/backup-places.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { aPng, formOf } from '#server/testing/uploads.ts'
import { openUploads } from '#server/platform/uploads/open-uploads.ts'

test('the articles of a restored instance have their covers, and a cover without an article can be used there [R19 S34]', async () => {
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
  const restored = await startRestored(await restoredCopyOf(t, openUploads(t.config)))
  for (const url of [used, unused])
    expect((await restored.request({ method: 'GET', url })).rawPayload).toEqual(
      (await t.request({ method: 'GET', url })).rawPayload,
    )
  const other = await restored.admin({ email: 'other@example.org', firstName: 'Other' })
  expect((await other.tries(createPost, { input: anArticle(used) })).status).toBe(400)
  expect((await other.tries(createPost, { input: anArticle(unused) })).status).toBe(201)
})
