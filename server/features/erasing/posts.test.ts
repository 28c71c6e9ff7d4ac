import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { listAbuseReports, reportAbuse } from '#contract/abuse-reports/endpoints.ts'
import { deleteAccount } from '#contract/account/endpoints.ts'
import { uploadCover } from '#contract/covers/endpoints.ts'
import { createDraft, listDrafts } from '#contract/drafts/endpoints.ts'
import { erasePost } from '#contract/erasing/endpoints.ts'
import { approvePost, createPost, submitPost } from '#contract/feed/endpoints.ts'
import {
  changePost,
  deleteTakenBackPost,
  getOwnPost,
  listPostVersions,
  listTakenBackPosts,
  takeBackPost,
} from '#contract/feed/own/endpoints.ts'
import { getPost } from '#contract/feed/reading/endpoints.ts'
import { changePostVisibility, listAdminPosts, listOwnPosts } from '#contract/feed/review/endpoints.ts'
import { listNotifications } from '#contract/inbox/endpoints.ts'
import { search } from '#contract/search/endpoints.ts'
import { contentOf } from '#server/testing/content.ts'
import { auditedPosts, hide, startReview } from '#server/testing/reviewing.ts'
import type { Client } from '#server/testing/test-app.ts'
import { aPng, formOf } from '#server/testing/uploads.ts'
import { canary, placesOfCanary } from '#server/testing/canary.ts'

async function start() {
  const t = await startReview()
  return {
    ...t,
    places: () => placesOfCanary(t.db, t.config.dataDir),
    covers: () => readdir(join(t.config.dataDir, 'uploads/covers')).catch(() => []),
    /** The author sends another text, which waits for review. */
    change: async (id: string, content: string, by: Client = t.ana) => {
      const { updatedAt: base } = await by.does(getOwnPost, { params: { id } })
      return by.does(changePost, { params: { id }, input: { content, base } })
    },
    report: (targetId: string, by: Client) =>
      by.does(reportAbuse, { input: { kind: 'post', targetId, reason: 'Unkind.' } }),
  }
}
type Started = Awaited<ReturnType<typeof start>>

/** A post with all that can be stored of its text: versions, a waiting version, a draft, words, a report, events. */
async function publishWithTraces(t: Started, reader: Client): Promise<string> {
  const id = await t.publish(`${canary} one`)
  const waiting = await t.change(id, `${canary} two`)
  const [version] = await t.boss.does(listAdminPosts, { query: { status: 'pending' } })
  await t.boss.does(approvePost, { params: { id: version!.id } })
  expect(waiting.id).toBe(id)
  await t.boss.does(changePostVisibility, hide(id))
  await t.boss.does(changePostVisibility, { params: { id }, input: { isVisible: true } })
  await t.report(id, reader)
  await t.ana.does(createDraft, { input: { content: `${canary} three`, postId: id } })
  await t.change(id, `${canary} four`)
  return id
}

test('an admin erases a post: no table and no file has its text, and no list, page, feed or search shows it [INST-13]', async () => {
  const t = await start()
  const reader = await t.person()
  const id = await publishWithTraces(t, reader)
  const paths = [`/api/posts/${id}`, `/posts/${id}`, `/preview/posts/${id}.png`]
  const lists = ['/feed.atom', '/feed.rss', '/feed.json', '/sitemap.xml', '/dashboard', '/api/feed/day/0']
  const read = async (url: string) => {
    const { statusCode, body } = await t.request({ method: 'GET', url })
    return { statusCode, showsIt: body.includes(canary) || body.includes(id) }
  }
  const found = async () =>
    (await t.visitor().does(search, { query: { q: canary } })).posts.found.map((post) => post.id)
  expect(await found()).toEqual([id])
  for (const url of paths) expect([url, (await read(url)).statusCode]).toEqual([url, 200])
  for (const url of lists) expect([url, await read(url)]).toEqual([url, { statusCode: 200, showsIt: true }])
  expect((await t.places()).toSorted()).toEqual([
    'abuse_reports',
    'drafts',
    'post_versions',
    'post_words',
    'posts',
  ])
  await t.boss.does(erasePost, { params: { id } })
  expect(await t.places()).toEqual([])
  for (const url of paths) expect([url, (await read(url)).statusCode]).toEqual([url, 404])
  for (const url of lists) expect([url, await read(url)]).toEqual([url, { statusCode: 200, showsIt: false }])
  expect(await t.readFeed()).toEqual([])
  expect(await t.queue()).toEqual([])
  expect(await t.ana.does(listOwnPosts)).toEqual([])
  expect(await found()).toEqual([])
  const [report] = await t.boss.does(listAbuseReports)
  expect(report).toMatchObject({ exists: false, status: 'open', reason: 'Unkind.', copy: { content: null } })
})

test.each([
  ['a post', false],
  ['a post that its author took back', true],
])(
  'the picture of %s is gone from the disk at once, and nobody reads it [INST-13]',
  async (_what, isTakenBack) => {
    const t = await start()
    const payload = formOf('cover', new File([aPng()], 'cover', { type: 'image/png' }))
    const uploaded = await t.boss.request({ method: 'POST', url: uploadCover.path, payload })
    const { imageUrl } = uploaded.json<{ imageUrl: string }>()
    const { id } = await t.boss.does(createPost, { input: { content: 'News', authorName: 'Bela', imageUrl } })
    const get = async () => (await t.request({ method: 'GET', url: imageUrl })).statusCode
    expect([await get(), (await t.covers()).length]).toEqual([200, 1])
    if (isTakenBack) await t.boss.does(takeBackPost, { params: { id } })
    await t.chief.does(erasePost, { params: { id } })
    expect([await get(), await t.covers(), await t.db.$count(sql`covers`)]).toEqual([404, [], 0])
  },
)

test('the answer that is stored for a key has no text of a post [INST-13 R7]', async () => {
  const t = await start()
  const input = { content: canary, authorName: 'Bela' }
  const headers = { 'idempotency-key': 'k1' }
  const { id, content } = await t.boss.does(createPost, { input, headers })
  expect(content).toBe(canary)
  expect(await t.boss.does(createPost, { input, headers })).toMatchObject({ id, content: canary })
  await t.boss.does(erasePost, { params: { id } })
  expect(await t.places()).toEqual([])
})

test('a post that its author took back is erased with its versions, and is gone [INST-13]', async () => {
  const t = await start()
  const reader = await t.person()
  const id = await publishWithTraces(t, reader)
  await t.ana.does(takeBackPost, { params: { id } })
  expect(await t.places()).toContain('taken_back_posts')
  await t.boss.does(erasePost, { params: { id } })
  expect(await t.places()).toEqual([])
  expect(await t.ana.does(listTakenBackPosts)).toEqual([])
  const after = await contentOf(t.db)
  expect(await t.chief.tries(erasePost, { params: { id } })).toMatchObject({ status: 200 })
  expect(await contentOf(t.db)).toEqual(after)
})

test.each<[string, (t: Started, waiting: string) => Promise<unknown>]>([
  ['another admin has approved', (t, id) => t.chief.does(approvePost, { params: { id } })],
  ['its author has changed', (t, id) => t.change(id, 'Another letter')],
  [
    'its author has taken back for good',
    async (t, id) => {
      await t.ana.does(takeBackPost, { params: { id } })
      await t.ana.does(deleteTakenBackPost, { params: { id } })
    },
  ],
])(
  'the erasure of a waiting text that %s meanwhile is refused, and changes nothing [INST-13]',
  async (what, decide) => {
    const t = await start()
    const published = await t.publish('A first letter')
    await t.change(published, 'A letter')
    const [version] = await t.queue()
    const post = await t.submit('A letter')
    const id = what.includes('approved') ? version! : post
    await decide(t, id)
    const before = await contentOf(t.db)
    expect(await t.boss.tries(erasePost, { params: { id } })).toMatchObject({
      status: 404,
      code: 'PostNotFound',
    })
    const after = await contentOf(t.db)
    // A refused call of an admin is counted in the log.
    expect({ ...after, audit_log: before.audit_log }).toEqual(before)
  },
)

test('an admin erases a waiting post that its author has changed: the draft of another device is erased too [INST-13]', async () => {
  const t = await start()
  const postId = await t.submit('A letter')
  const { id: draft } = await t.ana.does(createDraft, { input: { content: canary, postId } })
  const other = await t.ana.does(createDraft, { input: { content: 'of nothing' } })
  const { id } = await t.change(postId, `${canary} two`)
  expect(id).not.toBe(postId)
  expect(await t.ana.does(listDrafts)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: draft, postId: id }),
      expect.objectContaining({ id: other.id, postId: null }),
    ]),
  )
  expect((await t.places()).toSorted()).toEqual(['drafts', 'posts'])
  await t.boss.does(erasePost, { params: { id } })
  expect(await t.places()).toEqual([])
})

test('an admin erases a waiting version alone: the published text stays with its earlier texts [INST-13]', async () => {
  const t = await start()
  const id = await t.publish('A first letter')
  await t.change(id, 'A second letter')
  await t.boss.does(approvePost, { params: { id: (await t.queue())[0]! } })
  await t.change(id, canary)
  const [version] = await t.queue()
  await t.boss.does(erasePost, { params: { id: version! } })
  expect(await t.places()).toEqual([])
  expect(await t.readFeed()).toEqual(['A second letter'])
  expect(await t.ana.does(listPostVersions, { params: { id } })).toMatchObject([
    { beginning: 'A first letter' },
  ])
  expect((await t.ana.does(listNotifications))[0]).toMatchObject({
    type: 'post.erased',
    data: { id: version, what: 'version' },
  })
})

test('the audit log names the admin, the post and its author, and the author reads the reason in the bell [INST-13 LOOP-23]', async () => {
  const t = await start()
  const id = await t.publish(canary)
  const { createdAt } = await t.visitor().does(getPost, { params: { id } })
  await t.boss.does(erasePost, { params: { id }, input: { reason: 'It names a neighbour.' } })
  expect((await auditedPosts(t.db)).at(-1)).toEqual({
    action: 'post-erased',
    actorId: t.boss.me.id,
    subjectId: id,
    details: { author: t.ana.me.id, reason: 'It names a neighbour.' },
  })
  const listed = await t.ana.does(listNotifications)
  // The approval of the post names nothing any more.
  expect(listed).toEqual([
    {
      id: expect.any(String),
      type: 'post.erased',
      data: {
        id,
        writtenAt: createdAt,
        erasedAt: expect.stringMatching(/^2025-06-10T12:/),
        what: 'post',
        reason: 'It names a neighbour.',
      },
    },
  ])
})

test('an erased post of a visitor, of a guest, of a deleted account and of the admin notifies nobody [INST-13]', async () => {
  const t = await start()
  const guest = await t.guest()
  const leaving = await t.person()
  const written = [
    await t.submit('of a visitor', t.visitor()),
    await t.submit('of a guest', guest),
    await t.publish('of a deleted account', leaving),
    (await t.boss.does(createPost, { input: { content: 'own', authorName: 'Bela' } })).id,
  ]
  await leaving.does(deleteAccount)
  const before = (await contentOf(t.db)).inbox_events
  for (const id of written) await t.boss.does(erasePost, { params: { id } })
  expect((await contentOf(t.db)).inbox_events).toEqual(before)
  expect(await t.db.$count(sql`posts`)).toBe(0)
})

test('only an admin erases, and a refused or impossible erasure changes nothing [INST-13 S6]', async () => {
  const t = await start()
  const id = await t.publish('A letter')
  await t.boss.does(submitPost, { input: { content: 'Another', authorName: 'Bela' } })
  const before = await contentOf(t.db)
  const params = { id }
  const strangers = [
    [t.visitor(), 401],
    [t.ana, 403],
  ] as const
  for (const [who, status] of strangers)
    expect(await who.tries(erasePost, { params })).toMatchObject({ status })
  const unknown = '01890000-0000-7000-8000-00000000dead'
  expect(await t.boss.tries(erasePost, { params: { id: unknown } })).toMatchObject({ code: 'PostNotFound' })
  expect(await t.boss.tries(erasePost, { params: { id: 'x' } })).toMatchObject({ code: 'PostNotFound' })
  const input = { reason: 'x'.repeat(1001) }
  expect(await t.boss.tries(erasePost, { params, input })).toMatchObject({ code: 'InvalidInput' })
  const after = await contentOf(t.db)
  // A refused call of an admin is counted in the log.
  expect({ ...after, audit_log: before.audit_log }).toEqual(before)
})
