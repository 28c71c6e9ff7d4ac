import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { getStats } from '#contract/admin/endpoints.ts'
import { createDraft, listDrafts } from '#contract/drafts/endpoints.ts'
import { createPost, submitPost } from '#contract/feed/endpoints.ts'
import { getPost } from '#contract/feed/reading/endpoints.ts'
import { listOwnPostIds } from '#contract/feed/own/endpoints.ts'
import { listAdminPosts, listOwnPosts, listTodaysPosts } from '#contract/feed/review/endpoints.ts'
import {
  changePublishTime,
  listScheduledPosts,
  publishScheduledPost,
  unschedulePost,
} from '#contract/feed/scheduled/endpoints.ts'
import { scheduledPostsMax } from '#contract/feed/scheduled/rules.ts'
import { search } from '#contract/search/endpoints.ts'
import { contentOf } from '#server/testing/content.ts'
import { startReview } from '#server/testing/reviewing.ts'
import { inMinutes, publishDue, schedule } from '#server/testing/scheduling.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'

const yearMinutes = 365 * 24 * 60
const premium = { content: 'A letter', authorName: 'Nightingale', type: 'premium' } as const
/** Adds scheduled posts of a person that are due in a month. */
const addMany = (who: Client, count: number) => sql`
  insert into scheduled_posts (id, content, author_name, post_type, created_at, author_id, publish_at, attempt_at)
  select ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'one of many', 'Ana', 'premium', app_now(), ${who.me.id},
    app_now() + interval '30 days' + n * interval '1 minute', app_now() + interval '30 days' + n * interval '1 minute'
  from generate_series(1, ${count}::int) n`

test('a person schedules a premium post with its draft: only the author sees it, in no list but that of scheduled posts [LOOP-11 LOOP-34]', async () => {
  const t = await startReview()
  const { ana, boss, visitor, readFeed, queue } = t
  const draft = await ana.does(createDraft, { input: { content: 'A xylophone sonata' } })
  const publishAt = inMinutes(t, 90)
  const before = await boss.does(getStats)
  const input = { ...premium, content: 'A xylophone sonata', publishAt }
  const sent = { ...input, draftId: draft.id, draftBase: draft.updatedAt, tags: ['night'] }
  const { id, status, createdAt } = await ana.does(submitPost, { input: sent })
  expect(status).toBe('scheduled')
  expect(await ana.does(listDrafts)).toEqual([])
  expect(await ana.does(listScheduledPosts)).toEqual([
    {
      id,
      beginning: 'A xylophone sonata',
      wordCount: 3,
      authorName: 'Nightingale',
      postType: 'premium',
      imageUrl: null,
      createdAt,
      publishAt,
    },
  ])
  expect([await readFeed(), await queue()]).toEqual([[], []])
  for (const who of [ana, boss, visitor()]) {
    expect(await who.tries(getPost, { params: { id } })).toMatchObject({ code: 'PostNotFound' })
    expect(JSON.stringify(await who.does(search, { query: { q: 'xylophone' } }))).not.toContain('sonata')
  }
  for (const call of [listOwnPosts, listOwnPostIds] as const) expect(await ana.does(call)).toEqual([])
  for (const call of [listAdminPosts, listTodaysPosts] as const) expect(await boss.does(call)).toEqual([])
  expect(await boss.does(getStats)).toEqual(before)
  for (const url of ['/feed.atom', '/sitemap.xml', `/posts/${id}`, `/preview/posts/${id}.png`]) {
    const { statusCode, body } = await visitor().request({ method: 'GET', url })
    expect([url, statusCode]).toEqual([url, url.includes(id) ? 404 : 200])
    expect([url, body]).toEqual([url, expect.not.stringMatching(new RegExp(`xylophone|${id}`))])
  }
  for (const who of [boss, t.chief]) expect(await who.does(listScheduledPosts)).toEqual([])
})

test.each<
  [string, 'ana' | 'visitor' | 'guest', { minutes?: number; type?: string; publishAt?: string }, string]
>([
  ['a standard post', 'ana', { type: 'standard' }, 'Only a premium post can be scheduled.'],
  ['a post of a visitor', 'visitor', {}, 'Only a person with an account can schedule a post.'],
  ['a post of a guest', 'guest', {}, 'Only a person with an account can schedule a post.'],
  ['a time in the past', 'ana', { minutes: -1 }, 'Please choose a time that is at least a minute ahead.'],
  ['the next minute', 'ana', { minutes: 0.99 }, 'Please choose a time that is at least a minute ahead.'],
  ['a time in over a year', 'ana', { minutes: yearMinutes + 2 }, 'Please choose a time within a year.'],
  ['no real day', 'ana', { publishAt: '2025-06-31T10:00:00.000Z' }, 'Please choose a real time.'],
])(
  '%s cannot be scheduled, and the refusal changes nothing [LOOP-11]',
  async (_what, by, { minutes = 60, ...more }, error) => {
    const t = await startReview()
    const who = { ana: t.ana, visitor: t.visitor(), guest: await t.guest() }[by]
    const { id, updatedAt } = await t.ana.does(createDraft, { input: { content: 'A letter' } })
    const draft = { draftId: id, draftBase: updatedAt }
    const before = await contentOf(t.db)
    const input = { ...premium, ...draft, publishAt: inMinutes(t, minutes), ...more }
    expect(await who.tries(submitPost, { input })).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      fields: { publishAt: error },
    })
    expect(await contentOf(t.db)).toEqual(before)
  },
)

test('a time of exactly a minute or a year ahead is taken, of the posts of admins too [LOOP-11]', async () => {
  const t = await startReview()
  // No time goes by between the choice and the call.
  const instant = t.clock.monotonicMs()
  t.clock.monotonicMs = () => instant
  const input = { content: 'News', authorName: 'Bela' }
  const times = [inMinutes(t, 1.02), inMinutes(t, yearMinutes - 1)]
  for (const publishAt of times) {
    expect(await t.boss.does(createPost, { input: { ...input, publishAt } })).toMatchObject({
      publishedAt: null,
      postType: 'admin',
    })
    await schedule(t.ana, 'A letter', publishAt)
  }
  for (const who of [t.ana, t.boss])
    expect((await who.does(listScheduledPosts)).map(({ publishAt }) => publishAt)).toEqual(times)
  const before = await contentOf(t.db)
  expect(await t.boss.tries(createPost, { input: { ...input, publishAt: inMinutes(t, 0.9) } })).toMatchObject(
    { code: 'InvalidInput', fields: { publishAt: expect.stringContaining('a minute ahead') } },
  )
  expect(await contentOf(t.db)).toEqual(before)
})

test('where every post is reviewed, none can be scheduled but by admins [LOOP-11]', async () => {
  const t = await startTestApp({ config: { premiumPublish: 'nobody' } })
  const [ana, boss] = [await t.person(), await t.admin()]
  const input = { ...premium, publishAt: inMinutes(t, 60) }
  expect(await ana.tries(submitPost, { input })).toMatchObject({
    fields: { publishAt: 'Every post is reviewed first, so none can be scheduled.' },
  })
  await boss.does(createPost, {
    input: { content: 'News', authorName: 'Bela', publishAt: inMinutes(t, 60) },
  })
  expect((await contentOf(t.db))['scheduled_posts']).toHaveLength(1)
})

test('of fifty posts that a person schedules at once, no more are taken than a person may have, and a refused one keeps its draft [LOOP-11]', async () => {
  const t = await startReview()
  const { db, ana, boss } = t
  await db.execute(addMany(ana, scheduledPostsMax - 7))
  const drafts = await Promise.all(
    Array.from({ length: 50 }, (_, n) => ana.does(createDraft, { input: { content: `text ${n}` } })),
  )
  const publishAt = inMinutes(t, 60)
  const answers = await Promise.all(
    drafts.map(({ id, updatedAt, content }) =>
      ana.tries(submitPost, {
        input: { ...premium, content, publishAt, draftId: id, draftBase: updatedAt },
      }),
    ),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(7)
  expect(answers.filter(({ code }) => code === 'ScheduledPostsFull')).toHaveLength(43)
  expect(answers.find(({ status }) => status === 400)!.fields).toEqual({
    publishAt: expect.stringContaining('100 scheduled posts'),
  })
  expect(await ana.does(listDrafts)).toHaveLength(43)
  expect(await db.execute(sql`select 1 from scheduled_posts`)).toMatchObject({ rowCount: scheduledPostsMax })
  // The posts of another person do not count.
  await schedule(boss, 'of an admin', publishAt)
})

test('a scheduled post counts against the limit of premium posts [LOOP-11]', async () => {
  const t = await startTestApp()
  const ana = await t.person()
  for (let n = 0; n < 10; n++) await schedule(ana, `text ${n}`, inMinutes(t, 60 + n))
  const before = await contentOf(t.db)
  const input = { ...premium, publishAt: inMinutes(t, 100) }
  expect((await ana.tries(submitPost, { input })).status).toBe(429)
  expect(await contentOf(t.db)).toEqual(before)
})

test('at most ten premium posts of a person are scheduled for one day of the feed, by whatever call; another day has its own ten [LOOP-11 S47]', async () => {
  const t = await startTestApp()
  const [ana, ben] = [await t.person(), await t.person()]
  const at = (time: string) => `2025-06-${time}.000Z`
  const day = (hour: number) => at(`12T${String(hour).padStart(2, '0')}:00:00`)
  for (let n = 0; n < 8; n++) await schedule(ana, `text ${n}`, day(n))
  t.clock.advance(25 * 60 * 60_000)
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, n) =>
      ana.tries(submitPost, { input: { ...premium, content: `late ${n}`, publishAt: day(10 + n) } }),
    ),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 400, 400, 400])
  expect(answers.find(({ status }) => status === 400)).toMatchObject({
    code: 'InvalidInput',
    fields: { publishAt: 'You have 10 scheduled posts on that day. Please choose another day.' },
  })
  // Midnight of Berlin.
  const id = await schedule(ana, 'of another day', at('12T22:00:00'))
  await schedule(ben, 'of another person', day(12))
  const before = await contentOf(t.db)
  const change = (postId: string, publishAt: string) =>
    ana.tries(changePublishTime, { params: { id: postId }, input: { publishAt } })
  expect(await change(id, at('12T21:59:59'))).toMatchObject({
    fields: { publishAt: expect.stringContaining('10 scheduled posts on that day') },
  })
  expect(await contentOf(t.db)).toEqual(before)
  const [first] = await ana.does(listScheduledPosts)
  expect((await change(first!.id, day(20))).status).toBe(200)
})

test('a scheduled premium post that a person publishes now counts against the limit of premium posts, and that of an admin does not [LOOP-11 S47]', async () => {
  const t = await startTestApp()
  const [ana, boss] = [await t.person(), await t.admin()]
  const publishAt = inMinutes(t, 24 * 60)
  for (let n = 0; n < 12; n++) {
    const input = { content: `News ${n}`, authorName: 'Bela', postType: 'premium', publishAt } as const
    const { id: news } = await boss.does(createPost, { input })
    await boss.does(changePublishTime, { params: { id: news }, input: { publishAt } })
  }
  for (const { id: news } of await boss.does(listScheduledPosts))
    await boss.does(publishScheduledPost, { params: { id: news } })
  const id = await schedule(ana, 'A letter', inMinutes(t, 3 * 24 * 60))
  for (let n = 0; n < 9; n++) await ana.does(submitPost, { input: { ...premium, content: `text ${n}` } })
  const before = await contentOf(t.db)
  expect((await ana.tries(publishScheduledPost, { params: { id } })).status).toBe(429)
  expect(await contentOf(t.db)).toEqual(before)
  t.clock.advance(25 * 60 * 60_000)
  expect(await ana.does(publishScheduledPost, { params: { id } })).toMatchObject({ status: 'published' })
})

test('an author reads the scheduled posts by cursor, the next one first [LOOP-11]', async () => {
  const t = await startReview()
  await t.db.execute(addMany(t.ana, 7))
  const read: string[] = []
  let before: string | undefined
  do {
    const answer = await t.ana.tries(listScheduledPosts, {
      query: { limit: '3', ...(before !== undefined && { before }) },
    })
    const page = answer.body as { publishAt: string }[]
    expect(page.length).toBeLessThanOrEqual(3)
    read.push(...page.map(({ publishAt }) => publishAt))
    before = answer.headers['next-before'] as string | undefined
  } while (before !== undefined)
  expect(read).toHaveLength(7)
  expect(read).toEqual(read.toSorted())
  expect((await t.ana.tries(listScheduledPosts, { query: { before: 'x' } })).status).toBe(400)
})

test('an author changes the time of a scheduled post, and it is published at that time alone [LOOP-11]', async () => {
  const t = await startReview()
  const id = await schedule(t.ana, 'A letter', inMinutes(t, 2))
  const before = await contentOf(t.db)
  for (const publishAt of [inMinutes(t, 0.5), inMinutes(t, yearMinutes + 2), '2025-06-31T10:00:00.000Z'])
    expect(await t.ana.tries(changePublishTime, { params: { id }, input: { publishAt } })).toMatchObject({
      code: 'InvalidInput',
      fields: { publishAt: expect.any(String) },
    })
  expect(await contentOf(t.db)).toEqual(before)
  const publishAt = inMinutes(t, 10)
  await t.ana.does(changePublishTime, { params: { id }, input: { publishAt } })
  t.clock.advance(3 * 60_000)
  await publishDue(t)
  expect(await t.ana.does(listScheduledPosts)).toMatchObject([{ id, publishAt }])
  t.clock.advance(8 * 60_000)
  await publishDue(t)
  expect(await t.visitor().does(getPost, { params: { id } })).toMatchObject({ publishedAt: publishAt })
})

test('an author publishes a scheduled post now, and a repeated call finds it no more [LOOP-11]', async () => {
  const t = await startReview()
  const id = await schedule(t.ana, 'A letter', inMinutes(t, 600))
  expect(await t.readFeed()).toEqual([])
  const { status, createdAt } = await t.ana.does(publishScheduledPost, { params: { id } })
  expect([status, createdAt]).toEqual(['published', expect.stringMatching(/^2025-06-10T12:0/)])
  expect(await t.readFeed()).toEqual(['A letter'])
  expect(await t.ana.does(listScheduledPosts)).toEqual([])
  expect(await t.ana.tries(publishScheduledPost, { params: { id } })).toMatchObject({
    code: 'ScheduledPostNotFound',
  })
  const found = async () => JSON.stringify(await t.visitor().does(search, { query: { q: 'letter' } }))
  await expect.poll(found, { timeout: 5000 }).toContain(id)
})

test('an author who reads the list more than 60 times in a minute waits [LOOP-11 S47]', async () => {
  const { person } = await startTestApp()
  const ana = await person()
  for (let n = 0; n < 60; n++) await ana.does(listScheduledPosts)
  expect(await ana.tries(listScheduledPosts)).toMatchObject({ status: 429 })
})

test('an author makes a draft of a scheduled post, with its choices; while the drafts are full nothing changes [LOOP-11]', async () => {
  const t = await startReview()
  const { ana, db } = t
  const publishAt = inMinutes(t, 60)
  const choices = { tags: ['night'], category: 'Poetry', form: 'verse' } as const
  const { id } = await ana.does(submitPost, { input: { ...premium, ...choices, publishAt } })
  await db.execute(sql`
    insert into drafts (user_id, id, content, size, post_type, created_at, updated_at)
    select ${ana.me.id}, ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'x', 1, 'standard', app_now(), app_now()
    from generate_series(1, 200) n`)
  const before = await contentOf(db)
  expect(await ana.tries(unschedulePost, { params: { id } })).toMatchObject({ code: 'DraftsFull' })
  expect(await contentOf(db)).toEqual(before)
  await db.execute(sql`delete from drafts`)
  const draft = await ana.does(unschedulePost, { params: { id } })
  expect(await ana.does(listScheduledPosts)).toEqual([])
  const answer = await ana.request({ method: 'GET', url: `/api/drafts/${draft.id}` })
  expect(answer.json()).toMatchObject({
    content: 'A letter',
    authorName: 'Nightingale',
    postType: 'premium',
    postId: null,
    ...choices,
  })
})

test('with a key a draft that was scheduled is encrypted, and the post of an admin becomes a standard draft [LOOP-11 LOOP-05]', async () => {
  const t = await startTestApp({ config: { diaryKey: 'a1'.repeat(32) } })
  const boss = await t.admin()
  const input = { content: 'A xylophone', authorName: 'Bela', publishAt: inMinutes(t, 60) }
  const { id } = await boss.does(createPost, { input })
  const draft = await boss.does(unschedulePost, { params: { id } })
  const answer = await boss.request({ method: 'GET', url: `/api/drafts/${draft.id}` })
  expect(answer.json()).toMatchObject({ content: 'A xylophone', postType: 'standard' })
  expect(JSON.stringify((await contentOf(t.db))['drafts'])).not.toContain(
    Buffer.from('xylophone').toString('hex'),
  )
})

test('nobody else lists, changes, publishes or takes a scheduled post [LOOP-34]', async () => {
  const t = await startReview()
  const id = await schedule(t.ana, 'A letter', inMinutes(t, 60))
  const before = await contentOf(t.db)
  for (const stranger of [await t.person(), t.boss]) {
    expect(await stranger.does(listScheduledPosts)).toEqual([])
    for (const params of [{ id }, { id: id.replace(/.$/, (last) => (last === '0' ? '1' : '0')) }]) {
      const input = { publishAt: inMinutes(t, 120) }
      expect(await stranger.tries(changePublishTime, { params, input })).toMatchObject({
        status: 404,
        code: 'ScheduledPostNotFound',
      })
      for (const call of [publishScheduledPost, unschedulePost])
        expect(await stranger.tries(call, { params })).toMatchObject({
          status: 404,
          code: 'ScheduledPostNotFound',
        })
    }
  }
  const after = await contentOf(t.db)
  for (const table of ['scheduled_posts', 'posts', 'drafts']) expect(after[table]).toEqual(before[table])
})
