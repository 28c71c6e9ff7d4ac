import { sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import { expect, test } from 'vitest'
import { approvePosts, createPost, submitPost } from '#contract/feed/endpoints.ts'
import { changePost, getOwnPost } from '#contract/feed/own/endpoints.ts'
import { changePostVisibility } from '#contract/feed/review/endpoints.ts'
import { search } from '#contract/search/endpoints.ts'
import { addMissingWords, savePostWords } from '#server/features/feed/index.ts'
import { createLog } from '#server/log.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { untilLockWaits } from '#server/testing/lock-waits.ts'
import { addPostWithoutWords, storeWords } from '#server/testing/post-words.ts'
import { startTestApp } from '#server/testing/test-app.ts'

/** How soon a search has to follow. */
const soon = { timeout: 5000 }

async function startPublishing(more: { logger?: FastifyBaseLogger } = {}) {
  const t = await startTestApp({ config: { limitsRates: false }, ...more })
  const [ana, boss] = [await t.person(), await t.admin()]
  const submit = async (content: string, type: 'standard' | 'premium') =>
    (await ana.does(submitPost, { input: { content, authorName: 'Ana Lima', type } })).id
  const lines = async (q: string) =>
    (await t.visitor().does(search, { query: { q, order: 'time' } })).posts.found.map(({ line }) => line.text)
  const addPublished = (content: string) => addPostWithoutWords(t.db, content)
  /** As the schedule of one process does. Returns the posts whose words could not be stored. */
  const addWords = async (...ids: string[]) => {
    const failed: string[] = []
    const onFailure = (_error: unknown, postId: string) => failed.push(postId)
    await addMissingWords(t.db, new AbortController().signal, { ids, onFailure })
    return failed
  }
  return { ...t, ana, boss, submit, lines, addPublished, addWords }
}

/** Makes the database answer as one without free connections when words are stored. Returns how often it did. */
async function makeUnavailable(db: Db): Promise<() => Promise<number>> {
  await db.execute(sql`create sequence refused`)
  await db.execute(sql`
    create function refuse() returns trigger language plpgsql as
    $$ begin perform nextval('refused'); raise 'too many connections' using errcode = '53300'; end $$`)
  await db.execute(
    sql`create trigger unavailable before insert on post_words for each row execute function refuse()`,
  )
  return async () => {
    const { rows } = await db.execute<{ count: number }>(
      sql`select case when is_called then last_value else 0 end::int as count from refused`,
    )
    return rows[0]!.count
  }
}

test('a post that is approved, published at once or written by an admin is found within 5 s [LOOP-13]', async () => {
  const { boss, submit, lines, clock } = await startPublishing()
  const id = await submit('Marigold 1', 'standard')
  await boss.does(approvePosts, { input: { postIds: [id] } })
  clock.advance(1000)
  await submit('Marigold 2', 'premium')
  clock.advance(1000)
  await boss.does(createPost, {
    input: { content: 'Marigold 3', authorName: 'The house', postType: 'admin' },
  })
  await expect.poll(() => lines('marigold'), soon).toEqual(['Marigold 3', 'Marigold 2', 'Marigold 1'])
})

test('the words of forty posts that are published at once are stored by two statements, and none by the publication [LOOP-13]', async () => {
  const { boss, submit, db } = await startPublishing()
  const postIds: string[] = []
  for (let n = 0; n < 40; n++) postIds.push(await submit(`Marigold ${n}`, 'standard'))
  await boss.does(approvePosts, { input: { postIds } })
  const transactions = async () =>
    (await db.execute(sql`select count(*)::int as count from post_words group by xmin`)).rows
  await expect.poll(transactions, soon).toEqual([{ count: 20 }, { count: 20 }])
  const { rows } = await db.execute(sql`
    select count(*)::int as count from posts join post_words on post_id = id where posts.xmin = post_words.xmin`)
  expect(rows).toEqual([{ count: 0 }])
})

test('a server that ends at once stores the words of what it has published, and a killed one leaves them to the next start [LOOP-13]', async () => {
  const { app, submit, addPublished, db } = await startPublishing()
  await submit('Marigold', 'premium')
  await app.close()
  expect(await db.$count(sql`post_words`)).toBe(1)
  await addPublished('Marigold of a killed server')
  expect(await storeWords(db)).toEqual([])
  expect(await db.$count(sql`post_words`)).toBe(2)
})

test('posts that are published while the database is unavailable are found soon after it is back, and no line of the log blames a post [LOOP-13 R15]', async () => {
  const lines: string[] = []
  const t = await startPublishing({
    logger: createLog('error', { write: (line: string) => void lines.push(line) }),
  })
  const refused = await makeUnavailable(t.db)
  for (let n = 0; n < 3; n++) await t.submit(`Marigold ${n}`, 'premium')
  await expect.poll(refused, soon).toBeGreaterThan(1)
  await t.db.execute(sql`drop trigger unavailable on post_words`)
  await expect.poll(() => t.lines('marigold'), soon).toHaveLength(3)
  expect(lines).toEqual([])
})

test('a server that ends after the database was unavailable stores the words of what it has published [LOOP-13 R15]', async () => {
  const t = await startPublishing()
  const refused = await makeUnavailable(t.db)
  await t.submit('Marigold', 'premium')
  await expect.poll(refused, soon).toBeGreaterThan(0)
  await t.db.execute(sql`drop trigger unavailable on post_words`)
  await t.app.close()
  expect(await t.db.$count(sql`post_words`)).toBe(1)
})

test('two processes that store the words of the same posts at the same time store each once, without a failure [LOOP-13]', async () => {
  const { addPublished, addWords, db } = await startPublishing()
  const ids: string[] = []
  for (let n = 0; n < 30; n++) ids.push(await addPublished(`Marigold ${n}`))
  expect(await Promise.all([addWords(...ids), addWords(...ids.toReversed())])).toEqual([[], []])
  expect(await db.$count(sql`post_words`)).toBe(30)
})

test('a post that its author changes while its words are stored is found by its new text alone [LOOP-10 LOOP-15]', async () => {
  const { addPublished, addWords, lines, db } = await startPublishing()
  const id = await addPublished('An early marigold')
  const { adding } = await db.transaction(async (tx) => {
    await tx.execute(sql`update posts set content = 'A late tulip' where id = ${id}`)
    await savePostWords(tx, [id])
    const adding = addWords(id)
    await untilLockWaits(db)
    return { adding }
  })
  expect(await adding).toEqual([])
  expect([await lines('marigold'), await lines('tulip')]).toEqual([[], ['A late tulip']])
})

test('a post that its author changes right after the publication is found by its new text alone, at once [LOOP-10 LOOP-15]', async () => {
  const { ana, submit, lines } = await startPublishing()
  const id = await submit('An early marigold', 'premium')
  const base = (await ana.does(getOwnPost, { params: { id } })).updatedAt
  await ana.does(changePost, { params: { id }, input: { content: 'A late tulip', base } })
  expect([await lines('marigold'), await lines('tulip')]).toEqual([[], ['A late tulip']])
})

test('a hidden post that an admin changes is found by its new text alone as soon as it is shown [LOOP-10 LOOP-15]', async () => {
  const { boss, lines, db } = await startPublishing()
  const { id } = await boss.does(createPost, {
    input: { content: 'An early marigold', authorName: 'The house', postType: 'admin' },
  })
  await storeWords(db)
  const show = (isVisible: boolean) =>
    boss.does(changePostVisibility, { params: { id }, input: { isVisible } })
  await show(false)
  const base = (await boss.does(getOwnPost, { params: { id } })).updatedAt
  await boss.does(changePost, { params: { id }, input: { content: 'A late tulip', base } })
  await show(true)
  expect([await lines('marigold'), await lines('tulip')]).toEqual([[], ['A late tulip']])
})
