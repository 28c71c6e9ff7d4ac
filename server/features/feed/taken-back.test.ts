import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { login } from '#contract/account/endpoints.ts'
import { uploadCover } from '#contract/covers/endpoints.ts'
import { createPost, listPendingPosts, submitPost } from '#contract/feed/endpoints.ts'
import { getPost } from '#contract/feed/reading/endpoints.ts'
import {
  changePost,
  deleteTakenBackPost,
  getOwnPost,
  listPostVersions,
  listTakenBackPosts,
  restorePost,
  takeBackPost,
} from '#contract/feed/own/endpoints.ts'
import { changePostVisibility, listAdminPosts, listOwnPosts } from '#contract/feed/review/endpoints.ts'
import { purgeCovers } from '#server/features/covers/routes.ts'
import { contentOf } from '#server/testing/content.ts'
import { hide, startReview } from '#server/testing/reviewing.ts'
import type { Client } from '#server/testing/test-app.ts'
import { aPng, formOf } from '#server/testing/uploads.ts'
import { purgeTakenBack } from './taken-back.ts'
import { openUploads } from '#server/platform/uploads/open-uploads.ts'

const never = new AbortController().signal
const day = 24 * 60 * 60 * 1000

/** Of a person whose session has ended. */
const signInAgain = (who: Client, password = 'secret pass 1') =>
  who.does(login, { input: { email: who.me.email!, password } })

test('a post that its author took back is in no list and at no address, and comes back as it was [LOOP-08 LOOP-10]', async () => {
  const { db, ana, boss, visitor, publish, readFeed } = await startReview()
  const id = await publish('A letter')
  await db.execute(sql`update posts set like_count = 3`)
  const before = await visitor().does(getPost, { params: { id } })
  const { posts } = await contentOf(db)
  await ana.does(takeBackPost, { params: { id }, query: { kind: 'unpublished' } })
  expect(await readFeed()).toEqual([])
  for (const url of [`/api/posts/${id}`, `/posts/${id}`, `/preview/posts/${id}.png`])
    expect([url, (await visitor().request({ method: 'GET', url })).statusCode]).toEqual([url, 404])
  expect(await boss.does(listAdminPosts)).toEqual([])
  expect(await ana.does(listOwnPosts)).toEqual([])
  expect(await ana.does(listTakenBackPosts)).toEqual([
    {
      id,
      beginning: 'A letter',
      authorName: 'Nightingale',
      postType: 'standard',
      status: 'published',
      createdAt: before.createdAt,
      publishedAt: before.publishedAt,
      takenBackAt: expect.stringMatching(/^2025-06-10T12:00/),
      kind: 'unpublished',
    },
  ])
  expect(await ana.does(restorePost, { params: { id } })).toMatchObject({ id, status: 'published' })
  expect(await visitor().does(getPost, { params: { id } })).toEqual(before)
  expect(await readFeed()).toEqual(['A letter'])
  expect((await contentOf(db)).posts).toEqual(posts)
  expect(await ana.does(listTakenBackPosts)).toEqual([])
})

test('a waiting version of a post that is taken back stays with its author as a version, and a hidden post comes back hidden [LOOP-08]', async () => {
  const { ana, boss, visitor, publish } = await startReview()
  const id = await publish('A letter')
  const { updatedAt: base } = await ana.does(getOwnPost, { params: { id } })
  await ana.does(changePost, { params: { id }, input: { content: 'Another letter', base } })
  await boss.does(changePostVisibility, hide(id))
  await ana.does(takeBackPost, { params: { id } })
  expect(await boss.does(listPendingPosts)).toEqual([])
  await ana.does(restorePost, { params: { id } })
  expect(await ana.does(listOwnPosts)).toMatchObject([{ id, isVisible: false, waitingVersion: null }])
  expect(await visitor().tries(getPost, { params: { id } })).toMatchObject({ status: 404 })
  expect(await ana.does(listPostVersions, { params: { id } })).toMatchObject([
    { beginning: 'Another letter' },
  ])
})

test('an author whose answer was lost takes a post back again: nothing changes, and nobody else learns of it [LOOP-08 LOOP-34]', async () => {
  const { db, ana, person, publish } = await startReview()
  const id = await publish('A letter')
  await ana.does(takeBackPost, { params: { id }, query: { kind: 'unpublished' } })
  const stranger = await person()
  const before = await contentOf(db)
  await ana.does(takeBackPost, { params: { id }, query: { kind: 'deleted' } })
  expect(await stranger.tries(takeBackPost, { params: { id } })).toMatchObject({ code: 'PostNotFound' })
  expect(await contentOf(db)).toEqual(before)
  await ana.does(deleteTakenBackPost, { params: { id } })
  expect(await ana.tries(takeBackPost, { params: { id } })).toMatchObject({ code: 'PostNotFound' })
})

test('a waiting post that is taken back leaves the queue and returns to it [LOOP-08]', async () => {
  const { ana, submit, queue } = await startReview()
  const id = await submit('A letter')
  await ana.does(takeBackPost, { params: { id } })
  expect(await queue()).toEqual([])
  await ana.does(restorePost, { params: { id } })
  expect(await queue()).toEqual([id])
})

test('thirty days after a post was taken back, or when its author deletes it for good, it is gone with its versions [LOOP-08]', async () => {
  const { db, ana, clock, publish } = await startReview()
  const takeBackChanged = async (content: string) => {
    const input = { content, authorName: 'Ana', type: 'premium' } as const
    const { id, createdAt: base } = await ana.does(submitPost, { input })
    await ana.does(changePost, { params: { id }, input: { content: `${content} later`, base } })
    await ana.does(takeBackPost, { params: { id } })
    return id
  }
  const [one, other] = [await takeBackChanged('one'), await takeBackChanged('other')]
  await publish('stays')
  const left = async () => {
    const { taken_back_posts, post_versions } = await contentOf(db)
    return [taken_back_posts!.length, post_versions!.length]
  }
  expect(await left()).toEqual([2, 2])
  await ana.does(deleteTakenBackPost, { params: { id: one } })
  expect(await left()).toEqual([1, 1])
  clock.advance(30 * day - 60_000)
  await purgeTakenBack(db, never)
  expect(await left()).toEqual([1, 1])
  clock.advance(2 * 60_000)
  await purgeTakenBack(db, never)
  expect(await left()).toEqual([0, 0])
  expect((await contentOf(db)).posts).toHaveLength(1)
  await signInAgain(ana)
  for (const id of [one, other])
    expect(await ana.tries(restorePost, { params: { id } })).toMatchObject({ code: 'PostNotFound' })
})

test('nobody else takes a post back, restores it or deletes it for good [LOOP-34]', async () => {
  const { db, ana, boss, person, publish } = await startReview()
  const [id, takenBack] = [await publish('A letter'), await publish('Another letter')]
  await ana.does(takeBackPost, { params: { id: takenBack } })
  const before = await contentOf(db)
  for (const stranger of [await person(), boss]) {
    expect(await stranger.tries(takeBackPost, { params: { id } })).toMatchObject({ code: 'PostNotFound' })
    for (const call of [restorePost, deleteTakenBackPost])
      expect(await stranger.tries(call, { params: { id: takenBack } })).toMatchObject({
        code: 'PostNotFound',
      })
    expect(await stranger.does(listTakenBackPosts)).toEqual([])
  }
  const after = await contentOf(db)
  for (const table of ['posts', 'taken_back_posts']) expect(after[table]).toEqual(before[table])
})

test('nobody reads the cover of a post that was taken back, and the post comes back with it [LOOP-08]', async () => {
  const { db, boss, visitor, clock, config } = await startReview()
  const payload = formOf(uploadCover.file.field, aPng())
  const uploaded = await boss.request({ method: 'POST', url: uploadCover.path, payload })
  const { imageUrl } = uploaded.json<{ imageUrl: string }>()
  const { id } = await boss.does(createPost, { input: { content: 'News', authorName: 'Bela', imageUrl } })
  const read = async () => (await visitor().request({ method: 'GET', url: imageUrl })).statusCode
  expect(await read()).toBe(200)
  await boss.does(takeBackPost, { params: { id } })
  expect(await read()).toBe(404)
  clock.advance(2 * day)
  await purgeCovers({ database: db, uploads: openUploads(config) }, never)
  await signInAgain(boss, 'a long admin password')
  await boss.does(restorePost, { params: { id } })
  expect(await read()).toBe(200)
})
