import { expect, test } from 'vitest'
import { createPost, listPendingPosts, submitPost } from '#contract/feed/endpoints.ts'
import { getFeedDay } from '#contract/feed/reading/endpoints.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { posts } from './schema.ts'

const poem = 'Two windows, one lamp.\n\n\tThe moth reads\r\n  what I crossed out. '
const storedPoem = 'Two windows, one lamp.\n\n\tThe moth reads\n  what I crossed out. '
const today = { params: { offset: '0' } }

const stored = (db: Db) => db.select().from(posts).orderBy(posts.createdAt)

test('a visitor submits a post, which waits for review without an author id and is not in the feed [POST-03 POST-07 POST-14 POST-20 POST-23 POST-24 API-11 API-47 PERM-03 S45]', async () => {
  const { visitor, admin, db } = await startTestApp()
  const browser = visitor()
  const answer = await browser.tries(submitPost, { input: { content: poem, authorName: ' Ana R. ' } })
  expect(answer).toMatchObject({ status: 201, body: { status: 'pending' } })
  expect(answer.body).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    status: 'pending',
    createdAt: expect.stringMatching(/^2025-06-10T12:00:\d\d\.\d{3}Z$/),
  })
  expect(await stored(db)).toMatchObject([
    { content: storedPoem, authorName: ' Ana R. ', authorId: null, postType: 'standard', publishedAt: null },
  ])
  expect(await browser.does(getFeedDay, today)).toEqual([])
  const boss = await admin()
  expect(await boss.does(listPendingPosts)).toMatchObject([{ content: storedPoem, status: 'pending' }])
})

test('a standard post of a person waits for review under their id [POST-07 POST-14 POST-24 S3]', async () => {
  const { person, db } = await startTestApp()
  const ana = await person()
  for (const type of [undefined, 'standard']) {
    const input = { content: `A line ${type}`, authorName: 'Ana', ...(type && { type }) }
    expect(await ana.does(submitPost, { input })).toMatchObject({ status: 'pending' })
  }
  const rows = await stored(db)
  expect(rows.map(({ authorId }) => authorId)).toEqual([ana.me.id, ana.me.id])
  expect(rows.map(({ postType, publishedAt }) => [postType, publishedAt])).toEqual([
    ['standard', null],
    ['standard', null],
  ])
})

test('a premium post of a person is published without review [POST-08 POST-15 POST-22 S45]', async () => {
  const { person, visitor } = await startTestApp()
  const ana = await person()
  const reader = visitor()
  expect(await reader.does(getFeedDay, today)).toEqual([])
  const { id, status } = await ana.does(submitPost, {
    input: { content: poem, authorName: 'Ana', type: 'premium' },
  })
  expect(status).toBe('published')
  expect(await reader.does(getFeedDay, today)).toMatchObject([
    { id, content: storedPoem, authorName: 'Ana', authorId: null, postType: 'premium' },
  ])
})

test('a visitor or a guest submits a premium post, which waits for review [POST-15 POST-22 S16 S45]', async () => {
  const { visitor, guest, db } = await startTestApp()
  const somebody = await guest()
  for (const [browser, content] of [
    [visitor(), 'of a visitor'],
    [somebody, 'of a guest'],
  ] as const) {
    const input = { content, authorName: 'Nightingale', type: 'premium' }
    expect(await browser.does(submitPost, { input })).toMatchObject({ status: 'pending' })
  }
  expect((await stored(db)).map(({ authorId, publishedAt }) => [authorId, publishedAt])).toEqual([
    [null, null],
    [somebody.me.id, null],
  ])
  expect(await visitor().does(getFeedDay, today)).toEqual([])
})

test.each([
  ['everyone', ['published', 'published', 'published']],
  ['registered', ['pending', 'pending', 'published']],
  ['nobody', ['pending', 'pending', 'pending']],
] as const)('who may publish at once is one setting: %s [POST-22 S45]', async (premiumPublish, expected) => {
  const { visitor, guest, person } = await startTestApp({ config: { premiumPublish } })
  const found: string[] = []
  for (const browser of [visitor(), await guest(), await person()]) {
    const input = { content: `Premium ${found.length}`, authorName: 'Nightingale', type: 'premium' }
    found.push((await browser.does(submitPost, { input })).status)
  }
  expect(found).toEqual(expected)
  expect(await visitor().does(getFeedDay, today)).toHaveLength(
    expected.filter((s) => s === 'published').length,
  )
})

test('a visitor cannot choose the id, the counts or a reserved type of a post [POST-02 POST-24 POST-25 S3]', async () => {
  const { visitor, person, db } = await startTestApp()
  const ben = await person()
  const input = {
    content: 'Mine',
    authorName: 'Somebody',
    authorId: ben.me.id,
    likeCount: 99,
    isVisible: false,
    publishedAt: '2025-06-10T12:00:00.000Z',
    sortOrder: 7,
  }
  await visitor().does(submitPost, { input })
  expect(await stored(db)).toMatchObject([
    { authorId: null, likeCount: 0, shareCount: 0, commentCount: 0, isVisible: true, sortOrder: 0 },
  ])
  for (const type of ['admin', 'generated', 'gold', '', null, 1]) {
    const answer = await visitor().tries(submitPost, { input: { content: 'x', authorName: 'y', type } })
    expect(answer).toMatchObject({ status: 400, code: 'InvalidInput' })
  }
  expect(await stored(db)).toHaveLength(1)
})

test.each([
  ['without a text', { content: undefined }],
  ['of spaces', { content: ' \n\t ' }],
  ['of characters that nobody sees', { content: '\u200b\u2060\u3000' }],
  ['with a number for a text', { content: 5 }],
  ['with half a character', { content: 'a\ud800b' }],
  ['with U+0000', { content: 'a\0b' }],
  ['of 50,001 characters', { content: 'a'.repeat(50_001) }],
  ['without an author', { authorName: undefined }],
  ['with a blank author', { authorName: ' \u200d ' }],
  ['with an author of 81 characters', { authorName: 'a'.repeat(81) }],
])(
  'a post %s is refused with a sentence for the field, and nothing is stored [API-47 S28 S31]',
  async (_what, change) => {
    const { visitor, db } = await startTestApp()
    const answer = await visitor().tries(submitPost, {
      input: { content: 'Text', authorName: 'Ana', ...change },
    })
    expect(answer).toMatchObject({ status: 400, code: 'InvalidInput', error: expect.stringMatching(/\w/) })
    expect(answer.fields).toEqual({ [Object.keys(change)[0]!]: expect.any(String) })
    expect(await stored(db)).toEqual([])
  },
)

test('the longest post and name are stored unchanged, and a body over 512 KiB is refused [S28 S31]', async () => {
  const { visitor, person, db } = await startTestApp()
  const authorName = '𝔄'.repeat(80)
  // Both have 50,000 characters in NFC. The second one is sent and stored in NFD.
  const contents = ['𝔄\n'.repeat(25_000), 'e\u0301'.repeat(50_000)]
  for (const content of contents) await visitor().does(submitPost, { input: { content, authorName } })
  const rows = await stored(db)
  expect(rows.map((row) => row.content).toSorted()).toEqual(contents.toSorted())
  expect(rows.map((row) => row.authorName)).toEqual([authorName, authorName])
  const ana = await person()
  const answer = await ana.tries(submitPost, { input: { content: 'x'.repeat(530_000), authorName: 'Ana' } })
  expect(answer).toMatchObject({ status: 413, code: 'PayloadTooLarge' })
  expect(await stored(db)).toHaveLength(2)
})

test('markup is text like any other: stored and answered as typed [S36]', async () => {
  const { person, visitor } = await startTestApp()
  const content = '<script>alert(1)</script> & "quotes" \u2028 {{x}} ${y}'
  const authorName = '<b>Ana</b>'
  const ana = await person()
  await ana.does(submitPost, { input: { content, authorName, type: 'premium' } })
  const answer = await visitor().tries(getFeedDay, today)
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(answer.body).toMatchObject([{ content, authorName }])
})

test.each([
  'Z!mmer',
  'Zimmer',
  'zimmer team',
  'ADMIN',
  ' The  Admin ',
  'Ａｄｍｉｎ',
  'ad\u200bmin',
  'Mira Boss',
  'MIRA\u00a0BOSS',
  'mi\u2060ra boss',
  // Confusable by Unicode TS 39: another script, another letter, a digit, a decorated letter.
  'Аdmin',
  'Zǃmmer',
  'Zlmmer',
  'Adrnin',
  'Adm1n',
  'ΑDΜΙΝ',
  'Аdмin',
  'ᴀᴅᴍɪɴ',
  '𝔸𝕕𝕞𝕚𝕟',
  'ⓐⓓⓜⓘⓝ',
  '🅰🅳🅼🅸🅽',
  'Ádmïn',
  'A\u0336d\u0336m\u0336i\u0336n\u0336',
  'Mirа Воss',
  'Míra Boss',
  'M1RA B0SS',
  // Words around the reserved one.
  'The Z!mmer Team',
  'Z!mmer Admin',
  'ZimmerTeam',
  'zimmer_official',
  'Zimmer Support 24',
  'Support',
  'Ana (Admin)',
  'Moderator Ana',
  'A d m i n',
  '=Admin=',
  'adm!n',
  'Z!!mmer Berlin',
  // Roles under other names, and letters written as signs.
  'Sysadmin',
  'Superadmin Ana',
  'Webmaster',
  'Administration',
  'The Moderation Team',
  'Mod',
  'Zimmer HQ',
  'Zimmer Verified',
  '4dmin',
  '@dmin',
  'Ana (@dm1n)',
  // Marks that look like the sign of Z!mmer, an i or an l.
  'Z❗mmer News',
  'Adm❗n Ann',
  'M❗ra Boss',
])('nobody without an account can sign as %j, and people can [S45 S56]', async (authorName) => {
  const { visitor, guest, person, admin, db } = await startTestApp()
  await admin({ firstName: 'Mira', lastName: 'Boss' })
  for (const browser of [visitor(), await guest()]) {
    const answer = await browser.tries(submitPost, { input: { content: 'Hello', authorName } })
    const fields = { authorName: 'This author name is reserved. Please choose another one.' }
    expect(answer).toMatchObject({ status: 400, code: 'AuthorNameReserved', fields })
  }
  expect(await stored(db)).toEqual([])
  const ana = await person()
  await ana.does(submitPost, { input: { content: 'Hello', authorName } })
  expect(await stored(db)).toMatchObject([{ authorId: ana.me.id }])
})

test('a visitor can sign with a name that only resembles a reserved one, or is spelled in another script [S45 S56]', async () => {
  const { visitor, admin, db } = await startTestApp()
  await admin({ firstName: 'Mira', lastName: 'Boss' })
  const names = [
    'Hans Zimmer',
    'Zimmermann',
    'Zimmerman & Sons',
    'Marion Zimmer Bradley',
    'Adminah Okafor',
    'Adnan',
    'Theo',
    'Stafford',
    'The Editor',
    'Team Berlin',
    'Mutual Support Group',
    'Mira Bossi',
    'Mira',
    'Miroslava Boss',
    'Zoë Král',
    'Nguyễn Văn An',
    'Nguyễn Văn An'.normalize('NFD'),
    'أحمد محمّد',
    'רִבְקָה כֹּהֵן',
    'आदित्य शर्मा',
    'บุญมี แซ่ลิ้ม',
    '山田太郎',
    '김민수'.normalize('NFD'),
    'Александр Пушкин',
    "O'Brien-Smith Jr.",
    'Ana 1984',
    'Modesty Blaise',
    'Ana Mod',
    'Moderation in All Things',
    'Bush Administration',
    'HQ Trivia',
    'Verified Poet',
    '@ndrea',
    '4 Winds',
    'Badminton',
    '☀',
    '👩‍👩‍👧',
  ]
  for (const authorName of names)
    await visitor().does(submitPost, { input: { content: `by ${authorName}`, authorName } })
  expect((await stored(db)).map((row) => row.authorName).toSorted()).toEqual(names.toSorted())
})

test.each([
  ['only a filler letter', '\u3164'],
  ['only Braille blanks', '\u2800\u2800'],
  ['only Hangul fillers', '\u115f\u1160\uffa0'],
  ['only a blank hieroglyph', '\u{13441}'],
  ['only a null notehead', '\u{1d159}'],
  ['of combining marks alone', '\u0301\u0323\u20dd'],
  ['of a blank under a combining mark', '\u2800\u0301'],
  ['only control characters', '\u0001\u009f'],
  ['reversed by an override', '\u202enimdA'],
  ['inside a direction isolate', '\u2067nimdA\u2069'],
  ['behind a direction mark', '\u200fAna'],
  ['on two lines', 'Ana\nAdmin'],
])('a name %s is refused to everybody, and nothing is kept [S9 S28 S56]', async (_what, authorName) => {
  const { visitor, person, db } = await startTestApp()
  for (const browser of [visitor(), await person()]) {
    const answer = await browser.tries(submitPost, { input: { content: 'Hello', authorName } })
    expect(answer).toMatchObject({ status: 400, code: 'InvalidInput' })
    expect(answer.fields).toEqual({ authorName: expect.stringMatching(/name/) })
  }
  expect(await stored(db)).toEqual([])
})

test('an admin cannot publish a post under the id of another person [S3]', async () => {
  const { admin, person, db } = await startTestApp()
  const [boss, ben] = [await admin(), await person()]
  const input = { content: 'News', authorName: 'The house', authorId: ben.me.id }
  expect(await boss.does(createPost, { input })).toMatchObject({ authorId: boss.me.id, postType: 'admin' })
  expect(await stored(db)).toMatchObject([{ authorId: boss.me.id }])
})
