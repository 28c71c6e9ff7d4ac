import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deleteAccount } from '#contract/account/endpoints.ts'
import {
  addBookmark,
  type Bookmark,
  listBookmarkIds,
  listBookmarks,
  removeBookmark,
} from '#contract/bookmarks/endpoints.ts'
import { bookmarksMax } from '#contract/bookmarks/rules.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { deleteTakenBackPost, restorePost, takeBackPost } from '#contract/feed/own/endpoints.ts'
import { changePostVisibility } from '#contract/feed/review/endpoints.ts'
import { contentOf } from '#server/testing/content.ts'
import { planOf } from '#server/testing/plan.ts'
import { hide, show, startReview } from '#server/testing/reviewing.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { purgeBookmarks } from './purge.ts'
import { readableBookmarks } from './queries.ts'

const never = new AbortController().signal
const missing = '01900000-0000-7000-8000-000000000999'

/** Ana and two admins, and Ben, who reads. */
async function startReading() {
  const t = await startReview()
  const ben = await t.person({ firstName: 'Ben' })
  /** Ben keeps a post, a second after the one before. */
  const keep = async (postId: string, who: Client = ben) => {
    t.clock.advance(1000)
    return who.tries(addBookmark, { params: { postId } })
  }
  const titles = async (who: Client = ben) => (await who.does(listBookmarks)).map(({ title }) => title)
  /** Posts that are on no page of this test, each a second later than the one before. */
  const fill = (count: number) =>
    t.db.execute(sql`
      with added as (
        insert into posts (id, content, author_name, post_type, created_at, published_at, published_on, content_digest)
        select ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Post ' || n, 'Cem', 'standard', app_now(), app_now(),
          '2025-06-10', n from generate_series(1, ${count}::int) n
        returning id, content)
      insert into bookmarks (user_id, post_id, created_at)
      select ${ben.me.id}, id, app_now() + make_interval(secs => substr(content, 6)::int) from added`)
  /** Each new bookmark takes its time, as on a slow disk, so that calls at once meet. */
  const slowDown = async () => {
    await t.db.execute(sql`
      create function takes_time() returns trigger language plpgsql as $$ begin perform pg_sleep(0.05); return new; end $$`)
    await t.db.execute(sql`
      create trigger slow before insert on bookmarks for each row execute function takes_time()`)
  }
  return { ...t, ben, keep, titles, fill, slowDown }
}

test('a reader keeps posts and finds them on another device, the last kept one first, until they are removed [LOOP-17]', async () => {
  const { ana, ben, publish, keep, titles } = await startReading()
  const first = await publish(`The train\n\n${'It was late. '.repeat(200)}`)
  const { id: second } = await ana.does(submitPost, {
    input: { content: 'A short one\nof two lines', authorName: 'Person1 Test', type: 'premium' },
  })
  expect(await keep(first)).toMatchObject({ status: 200, body: { ok: true } })
  await keep(second)
  const [short, long] = await ben.does(listBookmarks)
  expect(short).toEqual({
    id: second,
    title: 'A short one',
    authorName: 'Person1 Test',
    authorId: ana.me.id,
    readingMinutes: 0,
    publishedAt: expect.stringMatching(/^2025-06-10T12:0/),
    createdAt: expect.stringMatching(/^2025-06-10T12:0/),
  })
  // Nobody learns who is behind a pen name.
  expect(long).toMatchObject({ id: first, title: 'The train', authorName: 'Nightingale', authorId: null })
  expect(long!.readingMinutes).toBe(3)
  expect(await ben.does(listBookmarkIds)).toEqual([second, first])
  await ben.does(removeBookmark, { params: { postId: second } })
  expect(await titles()).toEqual(['The train'])
  expect(await ben.does(listBookmarkIds)).toEqual([first])
})

test('a reader who keeps or removes a post twice changes nothing the second time [LOOP-17]', async () => {
  const { db, ben, publish, keep } = await startReading()
  const [postId, other] = [await publish('The train'), await publish('The ferry')]
  await keep(postId)
  const kept = await contentOf(db)
  expect(await keep(postId)).toMatchObject({ status: 200, body: { ok: true } })
  // Nor does the removal of what is not kept.
  for (const id of [other, missing])
    expect(await ben.tries(removeBookmark, { params: { postId: id } })).toMatchObject({ status: 200 })
  expect(await contentOf(db)).toEqual(kept)
})

test('of 50 equal calls at once one adds the bookmark, and all are answered alike [LOOP-17 R6]', async () => {
  const { ben, publish, keep, slowDown } = await startReading()
  const postId = await publish('The train')
  await slowDown()
  const answers = await Promise.all(Array.from({ length: 50 }, () => keep(postId)))
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200))
  expect(await ben.does(listBookmarkIds)).toEqual([postId])
})

test('a person keeps at most 1000 posts, also with 50 calls at once; one that is kept already is no new one [LOOP-17 S31 R6]', async () => {
  const { db, ben, publish, keep, fill, slowDown } = await startReading()
  const postIds = []
  for (let n = 0; n < 50; n++) postIds.push(await publish(`Letter ${n}`))
  await fill(bookmarksMax - 10)
  await slowDown()
  const answers = await Promise.all(postIds.map((id) => keep(id)))
  expect(Map.groupBy(answers, ({ status, code }) => code ?? status).get(200)).toHaveLength(10)
  const refused = answers.filter(({ code }) => code === 'BookmarksFull')
  expect(refused).toHaveLength(40)
  expect(refused[0]).toMatchObject({
    status: 400,
    error: 'You keep 1000 posts to read later. Please remove one first.',
  })
  const full = await contentOf(db)
  expect(full['bookmarks']).toHaveLength(bookmarksMax)
  const kept = postIds.filter((_, n) => answers[n]!.status === 200)
  expect(await keep(kept[0]!)).toMatchObject({ status: 200 })
  expect(await contentOf(db)).toEqual(full)
  expect(await ben.does(listBookmarkIds)).toHaveLength(bookmarksMax)
})

test('only a post that everybody may read is kept: one that waits, is hidden or taken back is answered as a missing one [LOOP-17 S6]', async () => {
  const { db, ana, boss, publish, submit, keep } = await startReading()
  const [waiting, hidden, takenBack] = [await submit('waits'), await publish('hidden'), await publish('back')]
  await boss.does(changePostVisibility, hide(hidden))
  await ana.does(takeBackPost, { params: { id: takenBack } })
  const before = await contentOf(db)
  for (const id of [waiting, hidden, takenBack, missing])
    expect(await keep(id)).toMatchObject({ status: 404, code: 'PostNotFound' })
  // Not even by its author or an admin.
  for (const who of [ana, boss]) expect(await keep(waiting, who)).toMatchObject({ code: 'PostNotFound' })
  expect(await contentOf(db)).toEqual(before)
})

test('a kept post that is hidden is left out as if it did not exist, and comes back at its place when it is shown [LOOP-17 S6]', async () => {
  const { ben, boss, publish, keep, titles } = await startReading()
  const ids = [await publish('one'), await publish('two'), await publish('three')]
  for (const id of ids) await keep(id)
  await boss.does(changePostVisibility, hide(ids[1]!))
  expect(await titles()).toEqual(['three', 'one'])
  expect(await ben.does(listBookmarkIds)).toEqual([ids[2], ids[0]])
  await boss.does(changePostVisibility, show(ids[1]!))
  expect(await titles()).toEqual(['three', 'two', 'one'])
})

test('a kept post that its author takes back is left out, and comes back at its place when the author restores it [LOOP-17 LOOP-08]', async () => {
  const { ana, ben, publish, keep, titles } = await startReading()
  const ids = [await publish('one'), await publish('two')]
  for (const id of ids) await keep(id)
  const params = { id: ids[0]! }
  await ana.does(takeBackPost, { params })
  expect(await titles()).toEqual(['two'])
  expect(await ben.does(listBookmarkIds)).toEqual([ids[1]])
  await ana.does(restorePost, { params })
  expect(await titles()).toEqual(['two', 'one'])
  // A reader who removes it meanwhile does not find it again.
  await ana.does(takeBackPost, { params })
  await ben.does(removeBookmark, { params: { postId: ids[0]! } })
  await ana.does(restorePost, { params })
  expect(await titles()).toEqual(['two'])
})

test('the bookmarks of a post that is gone for good are purged, and those of a hidden or taken back one stay [LOOP-17]', async () => {
  const { db, ana, boss, publish, keep, fill } = await startReading()
  const [gone, hidden, takenBack] = [await publish('gone'), await publish('hidden'), await publish('back')]
  for (const id of [gone, hidden, takenBack]) await keep(id)
  // More than one step.
  await fill(6000)
  for (const id of [gone, takenBack]) await ana.does(takeBackPost, { params: { id } })
  await boss.does(changePostVisibility, hide(hidden))
  await ana.does(deleteTakenBackPost, { params: { id: gone } })
  await db.execute(sql`delete from posts where content = 'Post 5999'`)
  const before = (await contentOf(db))['bookmarks']!
  await purgeBookmarks(db, never)
  const after = (await contentOf(db))['bookmarks']!
  expect(before.filter((row) => !after.includes(row))).toEqual([
    expect.stringContaining('000000005999'),
    expect.stringContaining(gone),
  ])
})

test('a reader pages through all bookmarks, each once, also when long texts and hidden posts lie between [LOOP-17 S30]', async () => {
  const { db, ben, boss, publish, keep, fill } = await startReading()
  await fill(7)
  await db.execute(sql`update posts set is_visible = false where content in ('Post 3', 'Post 4', 'Post 5')`)
  const long: string[] = []
  // Three of them are more than the four megabytes of a page.
  for (let n = 0; n < 4; n++) {
    const { id } = await boss.does(submitPost, {
      input: { content: `Long ${n}`, authorName: 'Bela', type: 'premium' },
    })
    await db.execute(sql`update posts set content = ${`Long ${n}\n${'🌒'.repeat(400_000)}`} where id = ${id}`)
    await keep(id)
    long.unshift(`Long ${n}`)
  }
  await keep(await publish('last'))
  await db.execute(sql`
    update bookmarks set created_at = bookmarks.created_at + interval '1 hour' from posts
    where posts.id = post_id and author_name <> 'Cem'`)
  const found: string[] = []
  const sizes: number[] = []
  let before: string | undefined
  do {
    const page = await ben.tries(listBookmarks, { query: { limit: '5', ...(before && { before }) } })
    const titles = (page.body as Bookmark[]).map(({ title }) => title)
    found.push(...titles)
    sizes.push(titles.length)
    before = page.headers['next-before'] as string | undefined
  } while (before !== undefined)
  expect(found).toEqual(['last', ...long, 'Post 7', 'Post 6', 'Post 2', 'Post 1'])
  expect(sizes).toEqual([4, 5])
})

test('bookmarks of the same millisecond are paged by their posts, each once [LOOP-17 S30]', async () => {
  const { db, ben, fill } = await startReading()
  await fill(5)
  await db.execute(sql`update bookmarks set created_at = app_now()`)
  await db.execute(sql`update bookmarks set created_at = (select min(created_at) from bookmarks)`)
  const found: string[] = []
  let before: string | undefined
  do {
    const page = await ben.tries(listBookmarks, { query: { limit: '2', ...(before && { before }) } })
    found.push(...(page.body as Bookmark[]).map(({ title }) => title))
    before = page.headers['next-before'] as string | undefined
  } while (before !== undefined)
  expect(found).toEqual(['Post 5', 'Post 4', 'Post 3', 'Post 2', 'Post 1'])
})

test('nobody else, neither the author nor an admin, reads or removes the bookmarks of a person, or finds them in another answer [LOOP-17 LOOP-34 S6]', async () => {
  const { db, ana, ben, boss, publish, keep, titles } = await startReading()
  const postId = await publish('The train')
  await keep(postId)
  const before = await contentOf(db)
  for (const who of [ana, boss]) {
    expect(await who.does(listBookmarks)).toEqual([])
    expect(await who.does(listBookmarkIds)).toEqual([])
    expect(await who.tries(removeBookmark, { params: { postId } })).toMatchObject({ status: 200 })
  }
  expect(await contentOf(db)).toEqual(before)
  // Each person has bookmarks of the own.
  await keep(postId, ana)
  await ana.does(removeBookmark, { params: { postId } })
  expect(await titles()).toEqual(['The train'])
  for (const call of [listBookmarks, listBookmarkIds])
    expect((await ben.tries(call)).headers).toMatchObject({ 'cache-control': 'no-store' })
})

test('visitors and guests keep nothing, and are told to sign in or refused [LOOP-17 S2]', async () => {
  const { db, visitor, guest, publish } = await startReading()
  const postId = await publish('The train')
  const someGuest = await guest()
  const before = await contentOf(db)
  for (const [who, status] of [
    [visitor(), 401],
    [someGuest, 403],
  ] as const) {
    expect(await who.tries(addBookmark, { params: { postId } })).toMatchObject({ status })
    expect(await who.tries(removeBookmark, { params: { postId } })).toMatchObject({ status })
    expect(await who.tries(listBookmarks)).toMatchObject({ status })
    expect(await who.tries(listBookmarkIds)).toMatchObject({ status })
  }
  expect(await contentOf(db)).toEqual(before)
})

test.each([
  ['a path', '..%2f..%2fposts'],
  ['a zero byte', '%00'],
  ['SQL', "'%20or%20true--"],
  ['an upper-case letter', '01900000-0000-7000-8000-00000000000A'],
  ['another version of UUID', '01900000-0000-4000-8000-000000000001'],
  ['a digit too many', '01900000-0000-7000-8000-0000000000011'],
  ['an emoji', '%F0%9F%8C%92'],
  ['a long text', 'a'.repeat(1500)],
])('%s as an id names no post, and nothing changes [LOOP-17 S31 S32]', async (_what, id) => {
  const { db, ben } = await startReading()
  const before = await contentOf(db)
  for (const method of ['PUT', 'DELETE'] as const) {
    const { statusCode } = await ben.request({ method, url: `/api/bookmarks/${id}` })
    expect([method, statusCode]).toEqual([method, 404])
  }
  expect(await contentOf(db)).toEqual(before)
})

test.each([
  ['script', '<script>alert(1)</script>', '<script>alert(1)</script>'],
  ['right-to-left text', 'שלום עולם\n\nטקסט', 'שלום עולם'],
  ['an emoji at the place of the cut', `${'🌒'.repeat(100)}`, expect.stringMatching(/^(🌒)+…$/u)],
  ['blank lines first', '\n\n \n First line', 'First line'],
])(
  'the title of a kept post with %s is plain text of the post [LOOP-17 S36]',
  async (_what, content, title) => {
    const { publish, keep, titles } = await startReading()
    await keep(await publish(content))
    expect(await titles()).toEqual([title])
  },
)

test('a person who reads the list more than 60 times in a minute waits, and others do not [LOOP-17 S47]', async () => {
  const { person } = await startTestApp()
  const [ben, ana] = [await person(), await person()]
  for (let n = 0; n < 60; n++) await ben.does(listBookmarks)
  expect(await ben.tries(listBookmarks)).toMatchObject({ status: 429 })
  expect(await ana.does(listBookmarks)).toEqual([])
})

test('a person who keeps and removes posts more than 120 times in a minute waits, and nothing changes meanwhile [LOOP-17 S47]', async () => {
  const { db, person, admin, clock } = await startTestApp()
  const [ben, ana, boss] = [await person(), await person(), await admin()]
  const { id: postId } = await boss.does(submitPost, {
    input: { content: 'News', authorName: 'Bela', type: 'premium' },
  })
  for (let n = 0; n < 60; n++) {
    await ben.does(addBookmark, { params: { postId } })
    await ben.does(removeBookmark, { params: { postId } })
  }
  const before = await contentOf(db)
  expect(await ben.tries(addBookmark, { params: { postId } })).toMatchObject({ status: 429 })
  expect(await ben.tries(removeBookmark, { params: { postId } })).toMatchObject({ status: 429 })
  expect(await contentOf(db)).toEqual(before)
  await ana.does(addBookmark, { params: { postId } })
  clock.advance(60_000)
  await ben.does(addBookmark, { params: { postId } })
})

test('a deleted account takes its bookmarks with it, and leaves those of others [LOOP-34 S15]', async () => {
  const { db, ana, ben, publish, keep } = await startReading()
  const postId = await publish('The train')
  await keep(postId)
  await keep(postId, ana)
  await ben.does(deleteAccount, { input: {} })
  expect((await contentOf(db))['bookmarks']).toEqual([expect.stringContaining(ana.me.id)])
})

test('a cursor that no answer has given is refused [LOOP-17 S30]', async () => {
  const { ben } = await startReading()
  for (const before of ['now', '2025-02-30T10:00:00.000Z_01900000-0000-7000-8000-000000000001', '_'])
    expect(await ben.tries(listBookmarks, { query: { before } })).toMatchObject({
      status: 400,
      code: 'InvalidInput',
    })
})

test('the list of bookmarks is read in the order of its index [LOOP-17]', async () => {
  const { db, ben, fill } = await startReading()
  await fill(bookmarksMax)
  await db.execute(sql`analyze posts`)
  await db.execute(sql`analyze bookmarks`)
  const before = { createdAt: '2025-06-10T12:00:00.000Z', id: missing }
  const plan = await planOf(db, readableBookmarks(db, ben.me.id, before).limit(51))
  expect(plan).toContain('bookmarks_of_person')
  expect(plan).not.toContain('Sort')
})
