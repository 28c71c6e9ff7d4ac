import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import {
  approvePost,
  approvePosts,
  createPost,
  listPendingPosts,
  submitPost,
} from '#contract/feed/endpoints.ts'
import { changePost, getOwnPost } from '#contract/feed/own/endpoints.ts'
import { getPost } from '#contract/feed/reading/endpoints.ts'
import {
  changePostsVisibility,
  changePostVisibility,
  generateContent,
  listAdminPosts,
  listOwnPosts,
} from '#contract/feed/review/endpoints.ts'
import { contentOf } from '#server/testing/content.ts'
import { auditedPosts, hide, reason, show, startReview } from '#server/testing/reviewing.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { posts } from './schema.ts'

const missing = '00000000-0000-7000-8000-000000000001'

test('an admin hides a post, which leaves the feed at once and stays in the list of admins, and shows it again [ADM-10 ADM-11 ADM-18 API-42 S45 S49]', async () => {
  const { db, boss, visitor, publish, readFeed } = await startReview()
  const id = await publish('A letter')
  expect(await readFeed()).toEqual(['A letter'])
  const hidden = await boss.does(changePostVisibility, hide(id, { reason }))
  expect(hidden).toMatchObject({ id, content: 'A letter', isVisible: false })
  expect(hidden.publishedAt).not.toBeNull()
  expect(await readFeed()).toEqual([])
  expect((await visitor().tries(getPost, { params: { id } })).status).toBe(404)
  expect(await boss.does(listAdminPosts)).toMatchObject([
    { id, status: 'published', isVisible: false, reason, decidedBy: 'Bela Reed' },
  ])
  const shown = await boss.does(changePostVisibility, show(id))
  expect(shown).toEqual({ ...hidden, isVisible: true })
  expect(await readFeed()).toEqual(['A letter'])
  const by = { actorId: boss.me.id, subjectId: id }
  expect((await auditedPosts(db)).slice(1)).toEqual([
    { action: 'post-hidden', ...by, details: { reason } },
    { action: 'post-shown', ...by, details: null },
  ])
})

test('an admin sets a waiting post aside with a reason: it stays pending, leaves the queue, and comes back when it is shown [ADM-18]', async () => {
  const { ana, boss, submit, queue, readFeed } = await startReview()
  const id = await submit('A letter')
  const set = await boss.does(changePostVisibility, hide(id, { reason, isWaiting: true }))
  expect(set).toMatchObject({ isVisible: false, publishedAt: null })
  expect(await queue()).toEqual([])
  expect(await boss.does(listAdminPosts, { query: { status: 'pending' } })).toMatchObject([
    { id, status: 'pending', isVisible: false },
  ])
  expect(await ana.does(listOwnPosts)).toMatchObject([{ id, status: 'pending', isVisible: false, reason }])
  await boss.does(changePostVisibility, show(id))
  expect(await queue()).toEqual([id])
  expect(await readFeed()).toEqual([])
  await boss.does(approvePost, { params: { id } })
  expect(await readFeed()).toEqual(['A letter'])
})

test('an admin who set posts aside and approves them is told to return them to the queue first, and nothing changes [ADM-18 S46]', async () => {
  const { db, boss, chief, submit, publish } = await startReview()
  const [one, two, waiting] = [await submit('one'), await submit('two'), await submit('three')]
  for (const id of [one, two]) await boss.does(changePostVisibility, hide(id, { isWaiting: true }))
  const approved = await publish('four')
  const before = await contentOf(db)
  const approve = (by: Client, postIds: string[]) => by.tries(approvePosts, { input: { postIds } })
  const refusals = [
    [
      await boss.tries(approvePost, { params: { id: one } }),
      'This post was set aside. Return it to the queue before you approve it.',
    ],
    [
      await approve(boss, [one, waiting]),
      'One of these posts was set aside. Return it to the queue before you approve it.',
    ],
    [
      await approve(boss, [one, two]),
      '2 of these posts were set aside. Return them to the queue before you approve them.',
    ],
    [
      await boss.tries(changePostVisibility, hide(approved, { isWaiting: true })),
      'You have already decided about this post. Nothing was changed.',
    ],
    [await approve(chief, [one]), 'Bela Reed has already decided about this post. Nothing was changed.'],
  ] as const
  for (const [answer, error] of refusals)
    expect(answer).toMatchObject({ status: 409, code: 'PostDecided', error })
  expect(await contentOf(db)).toEqual(before)
})

test('an admin who approves posts that this and another admin have set aside is told about the other admin alone [S46]', async () => {
  const { boss, chief, submit } = await startReview()
  const [one, two] = [await submit('one'), await submit('two')]
  await boss.does(changePostVisibility, hide(one, { isWaiting: true }))
  await chief.does(changePostVisibility, hide(two, { isWaiting: true }))
  expect(await boss.tries(approvePosts, { input: { postIds: [one, two] } })).toMatchObject({
    error: 'Cleo Reed has already decided about one of these posts. Nothing was changed.',
  })
})

test('posts that were set aside do not keep others from submitting [S47 ADM-18]', async () => {
  const { db, boss, visitor } = await startTestApp({ config: { limitsRates: true } }).then(async (t) => ({
    ...t,
    boss: await t.admin(),
  }))
  await db.execute(sql`
    insert into posts (id, content, author_name, post_type, created_at, content_digest)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Line ' || n, 'Ana', 'standard', app_now(), n::text from generate_series(1, 5000) n`)
  const input = { content: 'One more', authorName: 'Ana' }
  const request = {
    method: 'POST',
    url: submitPost.path,
    payload: input,
    remoteAddress: '203.0.113.9',
  } as const
  expect((await visitor().request(request)).statusCode).toBe(429)
  const [one] = await boss.does(listPendingPosts, { query: { limit: '1' } })
  await boss.does(changePostVisibility, hide(one!.id))
  expect((await visitor().request(request)).statusCode).toBe(201)
})

test.each([
  ['a text', { isVisible: 'false' }],
  ['a number', { isVisible: 0 }],
  ['nothing', {}],
  ['null', { isVisible: null }],
  ['a reason of 1001 characters', { isVisible: false, reason: 'x'.repeat(1001) }],
  ['a reason that is no text', { isVisible: false, reason: 5 }],
])('hiding a post with %s is refused, and nothing changes [S46 S27 S31 API-42]', async (_what, input) => {
  const { db, boss, publish } = await startReview()
  const id = await publish('A letter')
  const before = await contentOf(db)
  expect(await boss.tries(changePostVisibility, { params: { id }, input })).toMatchObject({
    status: 400,
    code: 'InvalidInput',
  })
  expect(await boss.tries(changePostsVisibility, { input: { ...input, postIds: [id] } })).toMatchObject({
    status: 400,
  })
  expect(await contentOf(db)).toEqual(before)
})

test.each([missing, 'x'])('hiding the post %s answers that it does not exist [API-42]', async (id) => {
  const { boss } = await startReview()
  expect(await boss.tries(changePostVisibility, hide(id))).toMatchObject({
    status: 404,
    code: 'PostNotFound',
  })
})

/** What each admin may do, and the post about which both decide. */
const decisions = {
  approve: (by: Client, id: string) => by.tries(approvePost, { params: { id } }),
  'approve with others': (by: Client, id: string) => by.tries(approvePosts, { input: { postIds: [id] } }),
  'set aside': (by: Client, id: string) => by.tries(changePostVisibility, hide(id, { isWaiting: true })),
  'set aside with others': (by: Client, id: string) =>
    by.tries(changePostsVisibility, { input: { postIds: [id], isVisible: false, isWaiting: true } }),
}
type Choice = keyof typeof decisions
const pairs = Object.keys(decisions).flatMap((one) =>
  Object.keys(decisions).map((other) => [one as Choice, other as Choice] as const),
)

test.each(pairs)(
  'of two admins who %s and %s one post at the same time, one decides, and the other is told who was first [S45 R5 R6]',
  async (one, other) => {
    const { db, boss, chief, submit } = await startReview()
    const id = await submit('A letter')
    const answers = await Promise.all([decisions[one](boss, id), decisions[other](chief, id)])
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(1)
    const first = answers[0]!.status === 200 ? boss : chief
    const name = first === boss ? 'Bela Reed' : 'Cleo Reed'
    expect(refused[0]).toMatchObject({
      status: 409,
      code: 'PostDecided',
      error: `${name} has already decided about this post. Nothing was changed.`,
    })
    expect(await auditedPosts(db)).toMatchObject([{ actorId: first.me.id, subjectId: id }])
    expect(await db.select().from(posts)).toMatchObject([{ decidedById: first.me.id }])
  },
)

test('an admin who hides a post that another admin has hidden is refused, and the first reason stays [S46 R5]', async () => {
  const { db, boss, chief, publish } = await startReview()
  const id = await publish('A letter')
  await boss.does(changePostVisibility, hide(id, { reason }))
  const before = await contentOf(db)
  expect(await chief.tries(changePostVisibility, hide(id, { reason: 'Mine' }))).toMatchObject({
    status: 409,
    code: 'PostDecided',
  })
  expect(await contentOf(db)).toEqual(before)
  // The same admin may send the call again.
  await boss.does(changePostVisibility, hide(id, { reason }))
  expect(await contentOf(db)).toEqual(before)
  // Another admin may show it: that is a new decision.
  await chief.does(changePostVisibility, show(id))
  expect(await db.select().from(posts)).toMatchObject([{ isVisible: true, decidedById: chief.me.id }])
})

test('a bulk decision changes nothing when another admin has decided about one of the posts, and says how many there are [ADM-13 S46 R5]', async () => {
  const { db, boss, chief, submit, queue } = await startReview()
  const ids = [await submit('one'), await submit('two'), await submit('three')]
  await boss.does(approvePost, { params: { id: ids[1]! } })
  const before = await contentOf(db)
  const answers = [
    await chief.tries(approvePosts, { input: { postIds: ids, reason } }),
    await chief.tries(changePostsVisibility, { input: { postIds: ids, isVisible: false, isWaiting: true } }),
  ]
  for (const answer of answers)
    expect(answer).toMatchObject({
      status: 409,
      code: 'PostDecided',
      error: 'Bela Reed has already decided about one of these posts. Nothing was changed.',
    })
  expect(await contentOf(db)).toEqual(before)
  expect(await queue()).toEqual([ids[2], ids[0]])
})

test('an admin hides many posts with one call, and shows them again; the answers name exactly those that changed [ADM-10 ADM-11 S46 S49]', async () => {
  const { db, boss, publish, readFeed } = await startReview()
  const ids = [await publish('one'), await publish('two'), await publish('three')]
  await boss.does(changePostVisibility, hide(ids[1]!))
  const hidden = await boss.does(changePostsVisibility, {
    input: { postIds: [...ids, ids[0]], isVisible: false },
  })
  expect(hidden.changed.toSorted()).toEqual([ids[0], ids[2]].toSorted())
  expect(await readFeed()).toEqual([])
  const { changed } = await boss.does(changePostsVisibility, { input: { postIds: ids, isVisible: true } })
  expect(changed.toSorted()).toEqual(ids.toSorted())
  expect((await readFeed()).toSorted()).toEqual(['one', 'three', 'two'])
  expect(await auditedPosts(db)).toHaveLength(3 + 1 + 2 + 3)
})

test.each([
  ['an unknown id', [missing], 'UnknownPosts'],
  ['no post', [], 'InvalidInput'],
  ['201 posts', Array.from({ length: 201 }, () => missing), 'InvalidInput'],
])('hiding many posts with %s is refused, and nothing changes [S46 S31 R5]', async (_what, more, code) => {
  const { db, boss, publish } = await startReview()
  const id = await publish('A letter')
  const before = await contentOf(db)
  const postIds = more.length === 1 ? [id, ...more] : more
  expect(await boss.tries(changePostsVisibility, { input: { postIds, isVisible: false } })).toMatchObject({
    status: 400,
    code,
  })
  expect(await contentOf(db)).toEqual(before)
})

test('a decision is not made when the audit log cannot store it [R5 S49]', async () => {
  const { db, boss, publish, readFeed } = await startReview()
  const id = await publish('A letter')
  await db.execute(sql`alter table audit_log add check (action not in ('post-hidden', 'post-generation'))`)
  const before = await contentOf(db)
  const answers = [
    await boss.tries(changePostVisibility, hide(id)),
    await boss.tries(changePostsVisibility, { input: { postIds: [id], isVisible: false } }),
    await boss.tries(generateContent, { input: {} }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([500, 500, 500])
  expect(await contentOf(db)).toEqual(before)
  expect(await readFeed()).toEqual(['A letter'])
})

test('an article of an admin is visible at once, and an admin hides it like any other post [ADM-16 ADM-11]', async () => {
  const { boss, readFeed } = await startReview()
  const { id } = await boss.does(createPost, { input: { content: 'News', authorName: 'The house' } })
  expect(await readFeed()).toEqual(['News'])
  await boss.does(changePostVisibility, hide(id))
  expect(await readFeed()).toEqual([])
})

test('a moderator decides about no own post, alone or among others: another moderator or an admin does [INST-05]', async () => {
  const { db, moderator, boss, ana, submit, publish, queue, readFeed } = await startReview()
  const [mia, otherModerator] = [await moderator(), await moderator()]
  const waiting = await submit('A letter of Mia', mia)
  const another = await submit('A letter of Ana')
  const published = await publish('A poem of Mia', mia)
  const hidden = await publish('Another poem of Mia', mia)
  await boss.does(changePostVisibility, hide(hidden, { reason }))
  const { updatedAt: base } = await mia.does(getOwnPost, { params: { id: published } })
  await mia.does(changePost, { params: { id: published }, input: { content: 'A new poem of Mia', base } })
  const version = (await queue()).find((id) => ![waiting, another].includes(id))!

  const before = await contentOf(db)
  const refused = { status: 403, code: 'OwnPost' }
  for (const id of [waiting, version, published])
    expect(await mia.tries(approvePost, { params: { id } })).toMatchObject(refused)
  for (const change of [hide(waiting, { isWaiting: true }), hide(published), show(hidden)])
    expect(await mia.tries(changePostVisibility, change)).toMatchObject(refused)
  const postIds = [another, waiting]
  expect(await mia.tries(approvePosts, { input: { postIds } })).toMatchObject(refused)
  for (const isVisible of [true, false])
    expect(await mia.tries(changePostsVisibility, { input: { postIds, isVisible } })).toMatchObject(refused)
  expect(await contentOf(db)).toEqual(before)

  await mia.does(approvePost, { params: { id: another } })
  await otherModerator.does(approvePosts, { input: { postIds: [waiting, version] } })
  expect(await queue()).toEqual([])
  expect(await readFeed()).toEqual(['A letter of Mia', 'A letter of Ana', 'A new poem of Mia'])
  // An admin decides about an own post too.
  const ofBoss = await submit('A letter of the boss', boss)
  await boss.does(changePostVisibility, hide(ofBoss))
  expect(await ana.tries(approvePost, { params: { id: waiting } })).toMatchObject({
    status: 403,
    code: 'NotAllowed',
  })
})
