import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { search } from '#contract/search/endpoints.ts'
import { untilLockWaits } from '#server/testing/lock-waits.ts'
import { longestTurnOf } from '#server/testing/loop-turns.ts'
import { storeWords } from '#server/testing/post-words.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { startLibrary } from '#server/testing/library.ts'

test.each([
  ['too short', { q: 'a' }, 'Please type at least 2 characters.'],
  ['blank', { q: '   ' }, 'Please type at least 2 characters.'],
  ['too long', { q: 'a'.repeat(65) }, 'Please write at most 64 characters.'],
  ['of an unknown kind', { q: 'lamp', kind: 'diary' }, 'kind is posts, people, rooms or stories.'],
  ['of no real day', { q: 'lamp', from: '2025-02-30' }, 'Please choose a real day, such as 2025-06-10.'],
])(
  'a search that is %s is refused with a sentence that says why [LOOP-13 S31]',
  async (_what, query, error) => {
    const { reader } = await startLibrary()
    const { status, body } = await reader.tries(search, { query: query as { q: string } })
    expect([status, body]).toMatchObject([400, { code: 'InvalidInput', error }])
  },
)

test.each(['x', '1', '_', '1_2_3', '-1_0', '9999999999_0', '1_9999', 'posts_0'])(
  'a cursor that no answer has given (%s) is refused [LOOP-14]',
  async (before) => {
    const { reader } = await startLibrary()
    for (const query of [{ kind: 'posts', before }, { kind: 'rooms', before }, { before }] as const)
      expect(await reader.tries(search, { query: { q: 'lamp', ...query } })).toMatchObject({ status: 400 })
  },
)

test.each([
  '%%',
  '__',
  "' or 1=1",
  "lamp' & !'x",
  '!!',
  '&|',
  ':*',
  'lamp:*',
  '""',
  '(lamp',
  '\\\\',
  '<->',
  'a\u0301'.repeat(20),
  '🪔🪔',
  '=author ana lima',
  '~la',
])(
  'signs of queries and patterns are plain signs: %s finds nothing that it does not name [LOOP-13 S51]',
  async (q) => {
    const { publish, reader } = await startLibrary()
    await publish('Nothing of this is here')
    const { status, body } = await reader.tries(search, { query: { q } })
    expect([status, (body as { posts: { found: unknown[] } }).posts.found]).toEqual([200, []])
  },
)

test.each(['က', 'ភ', '㌖', 'ﷺ '])(
  'a search that finds ten of the longest posts of %s alone keeps nobody waiting for over 15 ms, and takes at most ten times the time of plain texts [LOOP-13 S51 S58]',
  async (sign) => {
    const { publish, find } = await startLibrary()
    const add = async (filler: string, word: string) => {
      const content = filler.repeat(50_000).slice(0, 50_000 - word.length - 10)
      for (let n = 0; n < 10; n++) await publish(`needle\n${content} ${word}`)
    }
    await add(sign, 'strange')
    await add('a word ', 'plain')
    const search = async (word: string) => {
      const { posts } = await find(`needle ${word}`, { kind: 'posts', limit: '20' })
      expect(posts.found).toHaveLength(10)
    }
    const times: Record<string, number> = {}
    for (const word of ['strange', 'plain', 'strange', 'plain', 'strange', 'plain']) {
      const before = performance.now()
      await search(word)
      times[word] = Math.min(times[word] ?? Infinity, performance.now() - before)
    }
    expect(times['strange']! / times['plain']!).toBeLessThan(10)
    expect(await longestTurnOf(() => search('strange'), 15)).toBeLessThan(15)
  },
  120_000,
)

test('of many searches that a person sends at once two run, the others after them, and those of others meanwhile [LOOP-13 S58]', async () => {
  const { ana, ben, addPublished, find, db } = await startLibrary()
  await addPublished('Marigold')
  await storeWords(db)
  const ask = (who: Client) => find('marigold', { kind: 'posts' }, who)
  const { answers, waits } = await db.transaction(async (tx) => {
    await tx.execute(sql`lock table post_words in access exclusive mode`)
    const answers = [ana, ana, ana, ana].map(ask)
    await untilLockWaits(db, 2)
    answers.push(ask(ben))
    await untilLockWaits(db, 3)
    const { rows } = await db.execute(sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    return { answers, waits: rows.length }
  })
  expect(waits).toBe(3)
  expect((await Promise.all(answers)).map(({ posts }) => posts.found.length)).toEqual([1, 1, 1, 1, 1])
})

test('a caller who searches too often waits [LOOP-13]', async () => {
  const { request, person } = await startTestApp()
  const ask = (remoteAddress: string) => request({ method: 'GET', url: '/api/search?q=!!', remoteAddress })
  for (let n = 0; n < 120; n++) expect((await ask('203.0.113.7')).statusCode).toBe(200)
  expect((await ask('203.0.113.7')).statusCode).toBe(429)
  const ana = await person()
  for (let n = 0; n < 60; n++) await ana.does(search, { query: { q: '!!' } })
  expect(await ana.tries(search, { query: { q: '!!' } })).toMatchObject({ status: 429 })
})
