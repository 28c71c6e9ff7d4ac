import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deleteAccount } from '#contract/account/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { changePost, getOwnPost, restorePost, takeBackPost } from '#contract/feed/own/endpoints.ts'
import { changePostVisibility, listAdminPosts } from '#contract/feed/review/endpoints.ts'
import { contains } from '#server/platform/database/contains.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { trigramsOf } from '#server/platform/search/trigrams.ts'
import { untilLockWaits } from '#server/testing/lock-waits.ts'
import { planOf } from '#server/testing/plan.ts'
import { postsWithoutTrigrams, storeTrigrams } from '#server/testing/post-trigrams.ts'
import { hide, startReview } from '#server/testing/reviewing.ts'
import { listAdminPosts as readAdminPosts } from './admin-posts.ts'
import { posts } from './schema.ts'
import { addMissingTrigrams, candidatesQuery, findCandidates } from './trigrams.ts'

/** More posts than a search reads before it asks the index. */
const newerPosts = 2001

/** An app whose posts are found by the index alone: a search examines newer posts before it asks the index. */
async function startArchive() {
  const t = await startReview()
  const { boss, db } = t
  // Newer posts without a letter, which have no trigram.
  await db.execute(sql`
    insert into posts (id, content, author_name, post_type, created_at, content_digest)
    select ('00000000-0000-7000-9000-' || lpad(n::text, 12, '0'))::uuid, '-', '-', 'standard', app_now() + interval '1 day', ''
    from generate_series(1, ${newerPosts}::int) n`)
  await db.execute(sql`update post_trigrams set trigrams = '{}'`)
  const find = async (q: string, more: object = {}) =>
    (await boss.does(listAdminPosts, { query: { q, ...more } })).map(({ id }) => id)
  /** The posts that the search compares when it asks the index. */
  const candidates = (q: string) => findCandidates(db, q, 10)
  return {
    ...t,
    find,
    candidates,
    storeTrigrams: () => storeTrigrams(db),
    missing: () => postsWithoutTrigrams(db),
  }
}

const alphabets = [
  ['a', 'b', 'A', 'B', ' ', '1', '%', '_', '\\'],
  ['i', 'I', 'İ', 'ı', 'ì', '\u0307', '\u0301', 's', 'ſ', 'ß', 'ẞ', 'k', '\u212a'],
  ['σ', 'Σ', 'ς', 'ό', 'д', 'Д', 'И', 'й', '\u0306', ' '],
  ['夜', '灯', '笼', '。', '한', '글', 'क', 'ि', 'א', 'ב', '\n'],
  ['🌙', '🏮', '\u{10400}', '\u{10428}', '\u200d', 'e', 'é', 'e\u0301', 'x'],
]
const textIn = (maxLength: number) =>
  fc
    .constantFrom(...alphabets)
    .chain((letters) => fc.array(fc.constantFrom(...letters), { minLength: 3, maxLength }))
    .map((parts) => parts.join(''))

test('a search finds exactly the posts that contain the text or have it in the author name, in all scripts and cases [API-38]', async () => {
  const { db, storeTrigrams } = await startArchive()
  const texts = fc.sample(textIn(12), { numRuns: 300, seed: 11 })
  await db.execute(sql`
    insert into posts (id, content, author_name, post_type, created_at, content_digest)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
      case when n % 5 = 0 then '-' else text end, case when n % 5 = 0 then text else '-' end, 'standard',
      app_now() - n * interval '1 second', ''
    from unnest(${sql.param(texts)}::text[]) with ordinality one (text, n)`)
  await storeTrigrams()
  const parts = texts.slice(0, 50).map((text, n) => text.slice(n % 3, (n % 3) + 3 + (n % 5)))
  let [found, byIndex] = [0, 0]
  for (const part of [...parts, ...fc.sample(textIn(5), { numRuns: 20, seed: 12 })]) {
    // The half of an emoji is stored, and searched for, as the sign of an unknown letter.
    const q = part.toWellFormed().trim()
    if (q === '') continue
    const { rows } = await db.execute<{ id: string }>(sql`
      select id from posts where ${contains([posts.content, posts.authorName], q)} order by created_at desc, id desc`)
    const answer = await readAdminPosts(db, { text: q }, { limit: 1000, before: undefined }, () => 0)
    expect([q, answer.posts.map(({ id }) => id)]).toEqual([q, rows.map(({ id }) => id)])
    expect(answer.next).toBeUndefined()
    found += rows.length
    if (trigramsOf(q).length > 0) byIndex++
  }
  expect(Math.min(found, byIndex)).toBeGreaterThan(25)
})

test('the index leaves out posts without the text, and posts whose trigrams are not stored yet are compared [API-38]', async () => {
  const { publish, submit, storeTrigrams, find, candidates } = await startArchive()
  const [published, waiting] = [await publish('A lantern in the hall'), await submit('No LANTERN here')]
  await publish('A candle')
  await storeTrigrams()
  expect((await candidates('lantern'))!.toSorted()).toEqual([published, waiting].toSorted())
  const late = await submit('A late lantern')
  expect(await candidates('lantern')).toContain(late)
  expect((await find('lantern')).toSorted()).toEqual([published, waiting, late].toSorted())
  expect(await find('lantern', { status: 'published' })).toEqual([published])
  expect(await find('nightingal')).toHaveLength(4)
  expect(await find('lanterns')).toEqual([])
})

/** Adds older posts with this text and the trigrams of `like`, the newest first. */
const addOlder = async (db: Db, count: number, { text, like }: { text: string; like: string }) => {
  await db.execute(sql`
    insert into posts (id, content, author_name, post_type, created_at, content_digest)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, ${text}, '-', 'standard', app_now() - n * interval '1 second', ''
    from generate_series(1, ${count}::int) n`)
  await db.execute(sql`
    update post_trigrams set trigrams = ${sql.param(trigramsOf(like))}::smallint[] where trigrams is null`)
}

test('a text is found behind 4,000 posts that have the same trigrams and not the text [API-38]', async () => {
  const { db, publish, find, storeTrigrams } = await startArchive()
  const id = await publish('A lantern')
  await storeTrigrams()
  await db.execute(sql`update posts set created_at = app_now() - interval '1 year' where id = ${id}`)
  await addOlder(db, 4000, { text: '-', like: 'lantern' })
  expect(await findCandidates(db, 'lantern', 10_000)).toHaveLength(4001)
  expect(await find('lantern')).toEqual([id])
})

test('a search reads the newest 2,000 posts, and the index tells it which older ones to read [API-38]', async () => {
  const { db } = await startReview()
  // The index finds none of these posts, because it has the trigrams of another text.
  await addOlder(db, 2001, { text: 'A lantern', like: 'A candle' })
  const answer = await readAdminPosts(db, { text: 'lantern' }, { limit: 3000, before: undefined }, () => 0)
  expect(answer.posts).toHaveLength(2000)
  expect(answer.next).toBeUndefined()
})

test('a text that more posts may have than the search compares is found by reading the posts [API-38]', async () => {
  const { db, find } = await startArchive()
  await addOlder(db, 10_001, { text: 'A lantern', like: 'A lantern' })
  expect(await findCandidates(db, 'lantern', 10_000)).toBeUndefined()
  expect(await find('lantern', { limit: '50' })).toHaveLength(50)
})

test('the pages and cursors of a search are the same while none, some and all posts have their trigrams [API-38 S30]', async () => {
  const { boss, db, missing, storeTrigrams } = await startArchive()
  await db.execute(sql`
    insert into posts (id, content, author_name, post_type, created_at, content_digest)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, n || case when n % 3 = 0 then ' candle' else ' lantern' end,
      'Ana', 'standard', app_now() - n * interval '1 second', ''
    from generate_series(1, 10) n`)
  const read = async () => {
    const pages: { found: number[]; next: unknown }[] = []
    let before: string | undefined
    do {
      const query = { q: 'lantern', limit: '3', ...(before !== undefined && { before }) }
      const { body, headers } = await boss.tries(listAdminPosts, { query })
      const found = (body as { content: string }[]).map(({ content }) => parseInt(content))
      before = headers['next-before'] as string | undefined
      pages.push({ found, next: before })
    } while (before !== undefined)
    return pages
  }
  expect(await missing()).toHaveLength(10)
  const pages = await read()
  expect(pages.map(({ found }) => found)).toEqual([[1, 2, 4], [5, 7, 8], [10]])
  await storeTrigrams()
  await db.execute(
    sql`update posts set content = content where substr(content, 1, 1) in ('4', '5', '6', '7')`,
  )
  expect(await missing()).toHaveLength(4)
  expect(await read()).toEqual(pages)
  await storeTrigrams()
  expect(await read()).toEqual(pages)
})

test('a post that its author changes, takes back and restores is found by its present text alone, before and after its trigrams are stored [API-38 LOOP-10]', async () => {
  const { ana, storeTrigrams, find, candidates } = await startArchive()
  const input = { content: 'An early marigold', authorName: 'Ana Lima', type: 'premium' as const }
  const { id } = await ana.does(submitPost, { input })
  await storeTrigrams()
  expect([await candidates('marigold'), await candidates('tulip')]).toEqual([[id], []])
  const found = async () => [await find('marigold'), await find('tulip')]
  const base = (await ana.does(getOwnPost, { params: { id } })).updatedAt
  await ana.does(changePost, { params: { id }, input: { content: 'A late tulip', base } })
  expect(await found()).toEqual([[], [id]])
  await storeTrigrams()
  expect([await candidates('marigold'), await candidates('tulip')]).toEqual([[], [id]])
  expect(await found()).toEqual([[], [id]])
  await ana.does(takeBackPost, { params: { id } })
  expect(await candidates('tulip')).toEqual([])
  expect(await found()).toEqual([[], []])
  await ana.does(restorePost, { params: { id } })
  expect(await found()).toEqual([[], [id]])
  await storeTrigrams()
  expect(await found()).toEqual([[], [id]])
})

test('a hidden post and one that was set aside are found [API-38 ADM-18]', async () => {
  const { boss, publish, submit, storeTrigrams, find } = await startArchive()
  const ids = [await publish('A hidden lantern'), await submit('A lantern that was set aside')]
  for (const id of ids) await boss.does(changePostVisibility, hide(id))
  await storeTrigrams()
  expect((await find('lantern')).toSorted()).toEqual(ids.toSorted())
})

test('the deletion of an account removes the trigrams of the name at once, and the post is found by its text [S15 API-38]', async () => {
  const { ana, publish, storeTrigrams, find, candidates, missing } = await startArchive()
  const id = await publish('A lantern')
  const waiting = await publish('A candle')
  await storeTrigrams()
  expect(await missing()).toEqual([])
  await ana.does(deleteAccount)
  expect((await missing()).toSorted()).toEqual([id, waiting].toSorted())
  await storeTrigrams()
  expect(await candidates('nightingale')).toEqual([])
  expect([await find('lantern'), await find('nightingale')]).toEqual([[id], []])
  expect((await find('deleted user')).toSorted()).toEqual([id, waiting].toSorted())
})

test('a post that changes while trigrams are stored gets those of its new text [API-38]', async () => {
  const { db, publish, storeTrigrams, candidates, missing } = await startArchive()
  const id = await publish('An early marigold')
  await storeTrigrams()
  await db.transaction(async (tx) => {
    await tx.execute(sql`update posts set content = 'A late tulip' where id = ${id}`)
    await addMissingTrigrams(db, new AbortController().signal)
  })
  expect(await missing()).toEqual([id])
  await storeTrigrams()
  expect([await candidates('marigold'), await candidates('tulip')]).toEqual([[], [id]])
})

test('a change of a post waits until the trigrams of its old text are stored, and removes them [API-38]', async () => {
  const { db, submit, storeTrigrams, find, missing } = await startArchive()
  const id = await submit('An early marigold')
  const { change } = await db.transaction(async (tx) => {
    // Another process has stored the trigrams of the post and has not committed yet.
    await addMissingTrigrams(tx, new AbortController().signal)
    const change = db.execute(sql`update posts set content = 'A late tulip' where id = ${id}`).then(() => {})
    await untilLockWaits(db)
    return { change }
  })
  await change
  expect(await missing()).toEqual([id])
  for (const store of [undefined, storeTrigrams]) {
    await store?.()
    expect([await find('marigold'), await find('tulip')]).toEqual([[], [id]])
  }
})

test('a person changes a post while the migration adds its row, without waiting, and the post is found by its new text [API-38 R18]', async () => {
  const { db, submit, storeTrigrams, find, missing } = await startArchive()
  const id = await submit('An early marigold')
  await db.execute(sql`delete from post_trigrams where post_id = ${id}`)
  await db.transaction(async (person) => {
    await db.transaction(async (migration) => {
      await migration.execute(
        sql`insert into post_trigrams (post_id) select id from posts on conflict do nothing`,
      )
      await person.execute(sql`set local lock_timeout = '1s'`)
      await person.execute(sql`update posts set content = 'A late tulip' where id = ${id}`)
    })
    await addMissingTrigrams(db, new AbortController().signal)
    expect(await missing()).toEqual([id])
  })
  await storeTrigrams()
  expect([await find('marigold'), await find('tulip')]).toEqual([[], [id]])
})

test('two processes that store trigrams at once store those of all posts, and what a killed one leaves is found and stored later [API-38]', async () => {
  const { db, find, missing } = await startArchive()
  await db.execute(sql`
    insert into posts (id, content, author_name, post_type, created_at, content_digest)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'A lantern', 'Ana', 'standard', app_now() - n * interval '1 second', ''
    from generate_series(1, 90) n`)
  const { signal } = new AbortController()
  const killed = db.transaction(async (tx) => {
    await addMissingTrigrams(tx, signal)
    // The other process finds each row locked, and leaves it.
    await addMissingTrigrams(db, signal)
    throw new Error('killed')
  })
  await expect(killed).rejects.toThrow('killed')
  expect(await missing()).toHaveLength(90)
  expect(await find('lantern', { limit: '200' })).toHaveLength(90)
  await Promise.all([addMissingTrigrams(db, signal), addMissingTrigrams(db, signal)])
  expect(await missing()).toEqual([])
  expect(await find('lantern', { limit: '200' })).toHaveLength(90)
})

test('the row of a post that was deleted during the migration is removed, and the other posts get their trigrams [API-38 R18]', async () => {
  const { db, publish, storeTrigrams, candidates } = await startArchive()
  const deleted = '00000000-0000-7000-8000-000000000001'
  await db.execute(sql`insert into post_trigrams (post_id) values (${deleted})`)
  const id = await publish('A lantern')
  await addMissingTrigrams(db, new AbortController().signal)
  expect(await candidates('lantern')).toEqual([id])
  await storeTrigrams()
})

test('the index answers which posts may have a text [API-38]', async () => {
  const { db } = await startArchive()
  await db.execute(sql`analyze post_trigrams`)
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`)
    const plan = await planOf(tx, candidatesQuery(trigramsOf('lantern'), 2001))
    expect(plan).toContain('Bitmap Index Scan on post_trigrams_trigrams')
    expect(plan).toMatch(/Index.* Scan using post_trigrams_missing/)
    expect(plan).not.toContain('Seq Scan')
  })
})
