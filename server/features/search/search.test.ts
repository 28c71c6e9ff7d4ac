import { type SQL, sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { createPost } from '#contract/feed/endpoints.ts'
import { changePost, getOwnPost, restorePost, takeBackPost } from '#contract/feed/own/endpoints.ts'
import { changePostVisibility } from '#contract/feed/review/endpoints.ts'
import { avoidPlans } from '#server/platform/database/avoid-plans.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { readTextQuery } from '#server/platform/search/query.ts'
import { storeWords } from '#server/testing/post-words.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { authorsPostsQuery, findPosts, type PostCursor, postsQuery, readCandidates } from './post-search.ts'
import { startLibrary } from '#server/testing/library.ts'

const minuteMs = 60_000

test('a reader finds posts by words in any order and any case, and by the beginning of the last word [LOOP-13]', async () => {
  const { publish, lines } = await startLibrary()
  await publish('The LAMP burns low in the harbour.')
  await publish('A harbour without light.')
  expect(await lines('harbour lamp ')).toEqual(['The LAMP burns low in the harbour.'])
  expect(await lines('burns Har')).toEqual(['The LAMP burns low in the harbour.'])
  expect(await lines('harb')).toHaveLength(2)
  for (const q of ['ha', 'har', 'harbo', 'harbou', 'harbour'])
    expect([q, (await lines(q)).length]).toEqual([q, 2])
  for (const q of ['arbour', 'harb lamp', 'harbours', 'lamp dark'])
    expect([q, await lines(q)]).toEqual([q, []])
})

test('a reader who types a phrase in quotes finds only posts in which the words follow each other [LOOP-13]', async () => {
  const { publish, lines } = await startLibrary()
  await publish('The old man and the sea')
  await publish('The sea and the old, the man')
  expect(await lines('"the old man"')).toEqual(['The old man and the sea'])
  expect(await lines('“old man” sea')).toEqual(['The old man and the sea'])
  expect(await lines('"man old"')).toEqual([])
  expect(await lines('old man')).toHaveLength(2)
})

test.each([
  ['an accent', 'Un café créole', 'cafe', 'café'],
  ['no accent', 'A cafe here', 'café', 'cafe'],
  ['a decomposed accent', 'Un cafe\u0301 ferme', 'café', 'cafe\u0301'],
  ['a sharp s', 'Die Straße', 'strasse', 'Straße'],
  ['Greek', 'Ο ΔΡΟΜΟΣ μακρύς', 'δρομος', 'ΔΡΟΜΟΣ'],
  ['Cyrillic', 'Моя Ёлка', 'елка', 'Ёлка'],
  ['Hebrew with points', 'שָׁלוֹם לך', 'שלום', 'שָׁלוֹם'],
  ['Arabic with vowels', 'السَّلامُ عليكم', 'السلام', 'السَّلامُ'],
  ['Chinese', '春天来了，我很高兴。', '天来', '天来'],
  ['one Chinese letter', '春天来了，我很高兴。', '高', '高'],
  ['Japanese', '吾輩は猫である', '猫である', '猫である'],
  ['Thai', 'ฉันรักแมวมาก', 'แมว', 'แมว'],
  ['Korean', '나는 고양이를 좋아한다', '고양이', '고양이를'],
  ['Hindi', 'मेरी किताब', 'किताब', 'किताब'],
  ['wide letters', 'Ｈｅｌｌｏ there', 'hello', 'Ｈｅｌｌｏ'],
])(
  'a reader finds a word with %s, and the answer marks it as it was written [LOOP-13]',
  async (_what, content, q, word) => {
    const { publish, find, lines } = await startLibrary()
    await publish(content)
    await publish('Something else: カキ 天春 ทะเล')
    const { posts } = await find(q)
    expect(posts.found.map(({ line }) => line.text)).toEqual([content])
    const [{ line }] = posts.found as [(typeof posts.found)[0]]
    const { from, to } = line.marks[0]!
    const shown = line.text.slice(from, to)
    expect(shown).toBe(word)
    expect(await lines('zzzz')).toEqual([])
  },
)

test('the line with the match is returned, cut to 100 characters around it, with the title apart [LOOP-13]', async () => {
  const { publish, find } = await startLibrary()
  await publish(
    `A night at sea\n\nFirst line.\n${'word '.repeat(60)}lantern ${'more '.repeat(60)}\nLast line.`,
  )
  const { posts } = await find('lantern')
  const { title, line, authorName, authorId } = posts.found[0]!
  expect(title).toEqual({ text: 'A night at sea', marks: [] })
  expect(Array.from(line.text)).toHaveLength(102)
  expect(line.text).toMatch(/^…word .*lantern more .*…$/)
  expect(line.marks.map(({ from, to }) => line.text.slice(from, to))).toEqual(['lantern'])
  expect([authorName, authorId]).toEqual(['Ana Lima', expect.any(String)])
  const night = (await find('night')).posts.found[0]!
  expect(night.title!.marks).toEqual([{ from: 2, to: 7 }])
  expect(night.line).toEqual({ text: 'First line.', marks: [] })
})

test('the line with most of the words is returned [LOOP-13]', async () => {
  const { publish, lines } = await startLibrary()
  await publish('The harbour sleeps.\nThe lamp burns in the harbour.\nThe lamp is out.')
  expect(await lines('lamp harbour ')).toEqual(['The lamp burns in the harbour.'])
})

test('the line with the match is returned from far behind the beginning of a long text [LOOP-13]', async () => {
  const { publish, find } = await startLibrary()
  await publish(`First line.\n${'Many short lines.\n'.repeat(2000)}The Lighthouse keeper sleeps.\nLast line.`)
  const { line } = (await find('keeper lighthouse')).posts.found[0]!
  expect(line.text).toBe('The Lighthouse keeper sleeps.')
  expect(line.marks).toHaveLength(2)
})

test('posts with a word in the title come first by rank, and the newest first by time [LOOP-14]', async () => {
  const { publish, find } = await startLibrary()
  const inTitle = await publish('The orchard\n\nApples all day long.')
  const inText = await publish('We walked through an orchard in the rain, and it was long, and it was late.')
  const ids = async (order?: string) => (await find('orchard', { order })).posts.found.map(({ id }) => id)
  expect(await ids()).toEqual([inTitle, inText])
  expect(await ids('time')).toEqual([inText, inTitle])
})

test('a reader filters posts by author, category, form, length and time [LOOP-14]', async () => {
  const { addPublished, publish, lines } = await startLibrary()
  await addPublished('A lamp poem\nin short lines\nfor the night', '2025-06-07T12:00:00Z')
  await publish(
    'The lamp of the airport and its passport on a long journey abroad, told in prose alone.',
    'Zoë Quill',
  )
  await publish(`The lamp ${'burns on and on '.repeat(100)}`, 'Ana Lima')
  const count = async (more: object) => (await lines('lamp', more)).length
  expect(await count({})).toBe(3)
  expect(await lines('lamp', { author: 'zoe quill' })).toHaveLength(1)
  expect(await count({ author: 'Zoë' })).toBe(0)
  expect(await count({ author: 'ana LIMA' })).toBe(2)
  expect(await count({ category: 'Travel' })).toBe(1)
  expect(await lines('lamp', { form: 'verse' })).toEqual(['A lamp poem'])
  expect(await count({ form: 'prose' })).toBe(2)
  expect(await count({ length: 'medium' })).toBe(1)
  expect(await count({ length: 'medium', form: 'verse' })).toBe(0)
  expect(await lines('lamp', { to: '2025-06-09' })).toEqual(['A lamp poem'])
  expect(await count({ from: '2025-06-10' })).toBe(2)
  expect(await count({ from: '2025-06-11', to: '2025-06-12' })).toBe(0)
  expect(await count({ from: '2030-01-01' })).toBe(0)
})

test('a reader searches among the posts of an author by a phrase, a form and a time as among all posts [LOOP-13 LOOP-14]', async () => {
  const { addPublished, lines, db } = await startLibrary()
  await addPublished('The old lamp\nin short lines\nfor the night', '2025-06-07T12:00:00Z')
  await addPublished('A lamp, so old, told in prose alone.', '2025-06-10T12:00:00Z')
  await storeWords(db)
  const [verse, prose] = ['The old lamp', 'A lamp, so old, told in prose alone.']
  const ofAna = (q: string, more: object = {}) => lines(q, { author: 'Ana Lima', order: 'time', ...more })
  expect(await ofAna('lamp')).toEqual([prose, verse])
  expect(await ofAna('"old lamp"')).toEqual([verse])
  expect(await ofAna('lamp', { form: 'verse' })).toEqual([verse])
  expect(await ofAna('lamp', { to: '2025-06-09' })).toEqual([verse])
  expect(await ofAna('lamp', { from: '2025-06-10' })).toEqual([prose])
})

test('a reader who asks for the next page again and again reads every match once, in both orders [LOOP-14]', async () => {
  const { db, boss, find } = await startLibrary()
  await boss.does(createPost, {
    input: { content: 'Lamp 0', authorName: 'The house', postType: 'admin' },
  })
  await db.execute(sql`
    insert into posts (id, content, author_name, post_type, created_at, published_at, published_on, content_digest)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, repeat('lamp ', 1 + n % 3) || n, 'Ana', 'standard', at, at, at::date, ''
    from generate_series(1, 450) n, lateral (select timestamptz '2025-05-01 00:00Z' + n * interval '1 minute' as at) t`)
  await storeWords(db)
  const seenIn = async (order: 'rank' | 'time') => {
    const seen: string[] = []
    let before: string | undefined
    do {
      const { posts } = await find('lamp', { kind: 'posts', order, before, limit: '20' })
      seen.push(...posts.found.map(({ publishedAt, id }) => `${publishedAt} ${id}`))
      before = posts.nextBefore ?? undefined
    } while (before !== undefined)
    return seen
  }
  const [byRank, byTime] = [await seenIn('rank'), await seenIn('time')]
  expect([byRank.length, new Set(byRank).size]).toEqual([451, 451])
  expect(byTime).toEqual(byRank.toSorted().toReversed())
  expect(byRank).not.toEqual(byTime)
})

test('a post that was published is found, and not while it waits, is hidden or was deleted [LOOP-13 LOOP-15]', async () => {
  const { ana, boss, submit, approve, lines, db } = await startLibrary()
  const id = await submit(ana, 'A quiet marigold')
  const readers = [undefined, ana, boss]
  const foundBy = async () =>
    Promise.all(readers.map(async (who) => (await lines('marigold', {}, who)).length))
  expect(await foundBy()).toEqual([0, 0, 0])
  await approve(id)
  expect(await foundBy()).toEqual([1, 1, 1])
  await boss.does(changePostVisibility, { params: { id }, input: { isVisible: false } })
  expect(await foundBy()).toEqual([0, 0, 0])
  await boss.does(changePostVisibility, { params: { id }, input: { isVisible: true } })
  expect(await foundBy()).toEqual([1, 1, 1])
  await db.execute(sql`delete from posts where id = ${id}`)
  expect(await foundBy()).toEqual([0, 0, 0])
  expect(await db.$count(sql`post_words`)).toBe(0)
})

test('a post that its author changes, takes back and restores is found by its present text alone, at once [LOOP-10 LOOP-15]', async () => {
  const { ana, publishPremium, lines } = await startLibrary()
  const id = await publishPremium('An early marigold')
  const base = (await ana.does(getOwnPost, { params: { id } })).updatedAt
  await ana.does(changePost, { params: { id }, input: { content: 'A late tulip', base } })
  const foundBy = async () => [await lines('marigold'), await lines('tulip')]
  expect(await foundBy()).toEqual([[], ['A late tulip']])
  await ana.does(takeBackPost, { params: { id } })
  expect(await foundBy()).toEqual([[], []])
  await ana.does(restorePost, { params: { id } })
  expect(await foundBy()).toEqual([[], ['A late tulip']])
})

test('a restored post keeps its time, so that no search within a time loses it or a post beside it [LOOP-10 LOOP-14]', async () => {
  const { ana, publishPremium, lines, clock } = await startLibrary()
  // A minute before midnight in Berlin, and a minute after it.
  clock.advance((9 * 60 + 59) * minuteMs)
  const id = await publishPremium('Marigold 1')
  clock.advance(2 * minuteMs)
  await publishPremium('Marigold 2')
  await ana.does(takeBackPost, { params: { id: id } })
  await ana.does(restorePost, { params: { id: id } })
  const found = (more: object) => lines('marigold', { order: 'time', ...more })
  expect(await found({})).toEqual(['Marigold 2', 'Marigold 1'])
  expect(await found({ from: '2025-06-11' })).toEqual(['Marigold 2'])
  expect(await found({ to: '2025-06-10' })).toEqual(['Marigold 1'])
})

test('a post is found by the category, the form and the tags that its author has chosen, not by those that the text suggests [LOOP-12 LOOP-14]', async () => {
  const { publishPremium, lines } = await startLibrary()
  await publishPremium('The lamp of the airport\nand its passport', {
    category: 'Memories',
    form: 'prose',
    tags: ['Night train', 'Ölfarbe'],
  })
  const count = async (more: object) => (await lines('lamp', more)).length
  expect([await count({ category: 'Memories' }), await count({ category: 'Travel' })]).toEqual([1, 0])
  expect([await count({ form: 'prose' }), await count({ form: 'verse' })]).toEqual([1, 0])
  expect([await count({ tag: 'night TRAIN' }), await count({ tag: 'olfarbe' })]).toEqual([1, 1])
  expect([await count({ tag: 'night' }), await count({ tag: "train' | 'lamp" })]).toEqual([0, 0])
})

test('a post that an admin writes hidden is found once it is shown [LOOP-15]', async () => {
  const { boss, lines } = await startLibrary()
  const { id } = await boss.does(createPost, {
    input: { content: 'A hidden marigold', authorName: 'The house', postType: 'admin', isVisible: false },
  })
  expect(await lines('marigold')).toEqual([])
  await boss.does(changePostVisibility, { params: { id }, input: { isVisible: true } })
  expect(await lines('marigold')).toEqual(['A hidden marigold'])
})

/** The server itself goes on with `db` in the background, so its statements are not among those of the spy. */
function spyOnCopy(db: Db) {
  const spiedDb = Object.create(db) as Db
  return { spiedDb, execute: vi.spyOn(spiedDb, 'execute') }
}

/** The times of the posts of `startWithLamps`. */
const [newest, oldest] = ['2025-05-21T20:00:00.000Z', '2025-05-01T00:00:00.000Z']

/** An instance with 900 posts in 500 hours. */
async function startWithLamps() {
  const { db } = await startTestApp()
  await db.execute(sql`
    insert into posts (id, content, author_name, post_type, created_at, published_at, published_on, content_digest)
    select gen_random_uuid(), 'lamp ' || n % 7 || case when n > 700 then ' late' else '' end, 'Ana ' || n % 2, 'standard', at, at, at::date, ''
    from generate_series(1, 900) n, lateral (select timestamptz '2025-05-01 00:00Z' + n / 9 * interval '5 hours' as at) t`)
  await storeWords(db)
  return db
}

test('a search that looks among the newest posts first finds the same posts in the same order [LOOP-13 LOOP-14]', async () => {
  const db = await startWithLamps()
  const top = { publishedAt: '2025-05-18T00:00:00.000Z', id: '80000000-0000-4000-8000-000000000000' }
  const filters = [{}, { from: '2025-05-04T01:00:00.000Z' }, { to: newest }, { top }]
  for (const filter of filters)
    for (const q of ['lamp ', 'lamp 3 ', '"lamp 3"', 'late ', 'absent ']) {
      const idsWith = async (start: string | null) => {
        const asked = { filters: [], ...filter }
        const candidates = await readCandidates(db, null, readTextQuery(q)!, asked, { newest, start, oldest })
        return candidates.map(({ id }) => id)
      }
      const expected = await idsWith(null)
      for (const start of ['2025-05-02T01:00:00.000Z', '2025-05-19T16:30:00.000Z', newest])
        expect([q, filter, start, await idsWith(start)]).toEqual([q, filter, start, expected])
    }
})

test.each([
  {
    how: 'a tenth of what it needs among the newest posts',
    q: 'lamp ',
    start: '2025-05-21T10:00:00.000Z',
    statements: 2,
  },
  {
    how: 'none, in ten and a hundred hours first',
    q: 'absent ',
    start: '2025-05-21T10:00:00.000Z',
    statements: 3,
  },
  { how: 'none, after a burst of posts', q: 'absent ', start: newest, statements: 4 },
  {
    how: 'those since a late day',
    q: 'lamp ',
    start: '2025-05-19T16:30:00.000Z',
    from: '2025-05-20T00:00:00.000Z',
    statements: 1,
  },
  {
    how: 'those since a day after all posts',
    q: 'lamp ',
    start: null,
    from: '2025-05-22T00:00:00.000Z',
    statements: 0,
  },
])(
  'a search of a word that finds $how reads $statements periods [LOOP-13 S58]',
  async ({ q, start, from, statements }) => {
    const db = await startWithLamps()
    const { spiedDb, execute } = spyOnCopy(db)
    await readCandidates(spiedDb, null, readTextQuery(q)!, { filters: [], from }, { newest, start, oldest })
    expect(execute).toHaveBeenCalledTimes(statements)
  },
)

test('a search up to an early day reads no newer post from the index [LOOP-14 S58]', async () => {
  const db = await startWithLamps()
  const { spiedDb, execute } = spyOnCopy(db)
  const [early, to] = ['2025-05-01T20:00:00.000Z', '2025-05-02T00:00:00.000Z']
  const times = { newest: early, start: null, oldest }
  const candidates = await readCandidates(spiedDb, null, readTextQuery('lamp ')!, { filters: [], to }, times)
  expect(candidates).toHaveLength(44)
  const [[statement]] = execute.mock.calls as [[SQL]]
  const { rows } = await db.transaction(async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`)
    return tx.execute<{ 'QUERY PLAN': string }>(sql`explain analyze ${statement}`)
  })
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  const [, read] = /Bitmap Index Scan on post_words_words .*actual .*rows=(\d+)/.exec(plan)!
  // The words of the index name spans of 18 hours.
  expect(Number(read)).toBeLessThan(100)
})

test('a search among the posts of an author examines 500 of them at once, and then the ones before [LOOP-14 S58]', async () => {
  const { db } = await startTestApp()
  await db.execute(sql`
    insert into posts (id, content, author_name, post_type, created_at, published_at, published_on, content_digest)
    select gen_random_uuid(), case when n % 300 = 0 then 'late' else 'early' end, case when n % 13 = 0 then 'Ben' else 'Ana' end,
      'standard', at, at, at::date, ''
    from generate_series(1, 1300) n, lateral (select timestamptz '2025-05-01 00:00Z' + n * interval '1 minute' as at) t`)
  await storeWords(db)
  const author = 'ANA'
  const found: string[][] = []
  let top: PostCursor | undefined
  do {
    const { matches, next } = await findPosts(db, null, readTextQuery('late ')!, { filters: [], author, top })
    found.push(matches.map(({ publishedAt }) => publishedAt.slice(8, 16)))
    top = next
  } while (top !== undefined)
  expect(found).toEqual([['01T20:00', '01T15:00'], ['01T10:00', '01T05:00'], []])

  const plan = await db.transaction(async (tx) => {
    // As `findPosts` sets it.
    await avoidPlans(tx, 'sort')
    const statement = authorsPostsQuery(null, readTextQuery('early ')!, { filters: [] }, author)
    const { rows } = await tx.execute<{ 'QUERY PLAN': string }>(sql`explain analyze ${statement}`)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  expect(plan).not.toContain('JIT')
  const [, read] = /Index Scan using posts_of_author_name on posts.*actual .*rows=(\d+)/.exec(plan)!
  expect(Number(read)).toBe(501)
})

test('a word of every post and a rare word are found by the index [LOOP-13]', async () => {
  const { db } = await startTestApp()
  await db.execute(sql`
    insert into posts (id, content, author_name, post_type, created_at, published_at, published_on, content_digest)
    select gen_random_uuid(), 'the word ' || n, 'Ana', 'standard', at, at, at::date, ''
    from generate_series(1, 3000) n, lateral (select timestamptz '2025-05-01 00:00Z' + n * interval '1 minute' as at) t`)
  await storeWords(db)
  await db.execute(sql`analyze post_words`)
  const [first, older] = ['2025-05-01T00:01:00.000Z', '2025-05-02T00:00:00.000Z']
  const times = [
    { since: first, until: null },
    { since: older, until: null },
    { since: first, until: older },
  ]
  const asked = ['the ', 'word 17', 'absent', 'wor'].flatMap((q) => times.map((time) => ({ q, time })))
  for (const { q, time } of asked) {
    const query = postsQuery(
      null,
      readTextQuery(q)!,
      { filters: [] },
      { ...time, newest: '2025-05-03T02:00:00.000Z' },
      201,
    )
    const { rows } = await db.transaction(async (tx) => {
      // The table of the test is so small that reading all of it costs no more.
      await tx.execute(sql`set local enable_seqscan = off`)
      return tx.execute<{ 'QUERY PLAN': string }>(sql`explain ${query}`)
    })
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('post_words_words')
    expect(plan).not.toContain('Seq Scan on post_words')
  }
})
