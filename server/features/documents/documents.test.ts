import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { documentMaxLength, documentsMax, documentsMaxMiB } from '#contract/documents/document.ts'
import { createDocument, deleteDocument, getDocument, listDocuments } from '#contract/documents/endpoints.ts'
import { allEncryptedTables } from '#server/features.ts'
import { changeDiaryKey } from '#server/features/day-texts/index.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { contentOf } from '#server/testing/content.ts'
import { atServerWithKey, startTestApp } from '#server/testing/test-app.ts'

const [keyA, keyB] = ['a1'.repeat(32), 'b2'.repeat(32)]
const fields = {
  source: 'Story',
  title: 'The well',
  content: 'It was deep.',
  createdAt: '2019-06-10T08:15:00.000Z',
}

async function startKeeping(config: NonNullable<Parameters<typeof startTestApp>[0]>['config'] = {}) {
  const t = await startTestApp({ config: { limitsRates: false, ...config } })
  const ana = await t.person()
  const keep = (more: object = {}) => ana.does(createDocument, { input: { ...fields, ...more } })
  return { ...t, ana, keep }
}

test('a person keeps an imported text as it is, finds it with source, title and words, and deletes it [OWN-07]', async () => {
  const { ana, keep, clock } = await startKeeping()
  const first = await keep()
  expect(first).toMatchObject(fields)
  clock.advance(1000)
  const second = await keep({ title: 'A lamp', createdAt: null })
  const { content: _, ...listed } = { ...first, wordCount: 3 }
  expect(await ana.does(listDocuments)).toEqual([
    expect.objectContaining({ id: second.id, title: 'A lamp' }),
    listed,
  ])
  const params = { id: first.id }
  expect(await ana.does(getDocument, { params })).toEqual(first)
  await ana.does(deleteDocument, { params })
  expect((await ana.does(listDocuments)).map(({ id }) => id)).toEqual([second.id])
  expect(await ana.tries(getDocument, { params })).toMatchObject({ status: 404, code: 'DocumentNotFound' })
})

test('a person pages through all documents, also those of one millisecond, each once [S30]', async () => {
  const { ana, keep } = await startKeeping()
  const kept = []
  for (let n = 0; n < 7; n++) kept.push((await keep({ title: `Text ${n}` })).id)
  const ids = []
  for (let before: string | undefined, reads = 0; reads === 0 || before !== undefined; reads++) {
    const query = { limit: '3', ...(before !== undefined && { before }) }
    const { body, headers } = await ana.tries(listDocuments, { query })
    ids.push(...(body as { id: string }[]).map(({ id }) => id))
    before = headers['next-before'] as string | undefined
  }
  expect(ids.toSorted()).toEqual(kept.toSorted())
})

test('a document that is imported again with its id is a conflict, and stays as it is [OWN-10]', async () => {
  const { ana, db, keep } = await startKeeping()
  const { id } = await keep()
  const before = await contentOf(db)
  const again = await ana.tries(createDocument, { input: { ...fields, id, content: 'Another' } })
  expect(again).toMatchObject({ status: 400, code: 'DocumentConflict' })
  expect(await contentOf(db)).toEqual(before)
})

test('a repeated creation makes no second document, and no text of it is stored with the key [R7]', async () => {
  const { ana, db } = await startKeeping()
  const sent = {
    input: { ...fields, title: 'Moonlit', content: 'A moonlit line' },
    headers: { 'idempotency-key': 'one' },
  }
  expect(await ana.does(createDocument, sent)).toEqual(await ana.does(createDocument, sent))
  expect(await ana.does(listDocuments)).toHaveLength(1)
  const { idempotency_keys: keys } = await contentOf(db)
  expect(keys).toHaveLength(1)
  expect(keys!.join()).not.toMatch(/moonlit/i)
})

test.each([
  ['no text', { content: ' ' }],
  ['a text that is too long', { content: 'x'.repeat(documentMaxLength + 1) }],
  ['no title', { title: '' }],
  ['a title that is too long', { title: 'x'.repeat(201) }],
  ['a day that no calendar has', { createdAt: '2019-02-30T00:00:00.000Z' }],
])('a document with %s is refused [S31]', async (_, wrong) => {
  const { ana, db } = await startKeeping()
  const before = await contentOf(db)
  const answer = await ana.tries(createDocument, { input: { ...fields, ...wrong } })
  expect(answer).toMatchObject({ status: 400, code: 'InvalidInput' })
  expect(await contentOf(db)).toEqual(before)
})

test('the longest document fits a request, also in letters of four bytes [S31]', async () => {
  const { ana, keep } = await startKeeping()
  const content = '🌒'.repeat(documentMaxLength)
  const { id } = await keep({ content })
  expect((await ana.does(getDocument, { params: { id } })).content === content).toBe(true)
})

test('a person has at most 2,000 documents, and 64 MiB of them: one more is refused [S31]', async () => {
  const { ana, db, keep } = await startKeeping()
  const refused = { status: 400, code: 'DocumentsFull' }
  const fill = (count: number, size: number) =>
    db.execute(sql`
      insert into documents (user_id, id, source, title, content, size, word_count, added_at)
      select ${ana.me.id}, gen_random_uuid(), 'x', 'x', 'x', ${size}::int, 1, app_now()
      from generate_series(1, ${count}::int)`)
  await fill(documentsMax, 1)
  const before = await contentOf(db)
  expect(await ana.tries(createDocument, { input: fields })).toMatchObject(refused)
  expect(await contentOf(db)).toEqual(before)
  await db.execute(sql`delete from documents`)
  await fill(1, documentsMaxMiB * 1024 * 1024 - 5)
  expect(await ana.tries(createDocument, { input: { ...fields, content: 'longer' } })).toMatchObject(refused)
  expect(await keep({ content: 'brief' })).toMatchObject({ content: 'brief' })
})

test('a person who adds more than 120 documents in a minute waits [S47]', async () => {
  const { ana, clock, keep } = await startKeeping({ limitsRates: true })
  for (let n = 0; n < 120; n++) await keep()
  expect(await ana.tries(createDocument, { input: fields })).toMatchObject({ status: 429 })
  clock.advance(60_000)
  await keep()
})

test('no other person reads or deletes a document, also not with its id [S6]', async () => {
  const { ana, db, person, admin, keep } = await startKeeping()
  const document = await keep()
  const [ben, boss] = [await person(), await admin()]
  const params = { id: document.id }
  const before = await contentOf(db)
  for (const other of [ben, boss]) {
    expect(await other.does(listDocuments)).toEqual([])
    expect(await other.tries(getDocument, { params })).toMatchObject({
      status: 404,
      code: 'DocumentNotFound',
    })
    expect(await other.tries(deleteDocument, { params })).toMatchObject({ status: 404 })
  }
  expect(await contentOf(db)).toEqual(before)
  await ben.does(createDocument, { input: { ...fields, id: document.id, content: 'of Ben' } })
  expect(await ana.does(getDocument, { params })).toEqual(document)
})

async function startEncrypted() {
  const t = await startKeeping({ diaryKey: keyA })
  const document = await t.keep({ title: 'A secret title', content: 'A secret of the moon' })
  /** The browser of Ana, at a server that was started with another key. */
  const startWith = (diaryKey: string) => atServerWithKey(t, diaryKey, t.ana)
  return { ...t, document, startWith }
}

test('with a key no table holds the title or the text of a document, and after a change of the key its owner still reads it [S44]', async () => {
  const { db, ana, document, startWith } = await startEncrypted()
  const content = JSON.stringify(await contentOf(db))
  expect(content).not.toMatch(/secret/)
  expect(content).not.toContain(Buffer.from('secret').toString('hex'))
  const params = { id: document.id }
  expect(await ana.does(getDocument, { params })).toEqual(document)
  const sources = { database: db, random: systemRandom, config: { diaryKey: keyA, newDiaryKey: keyB } }
  expect(await changeDiaryKey(sources, allEncryptedTables)).toMatch(/^1 texts /)
  expect(await (await startWith(keyB)).does(getDocument, { params })).toEqual(document)
  const before = await contentOf(db)
  const locked = { status: 503, code: 'DiaryLocked' }
  // The first server outlived the change, and the second one starts with the old key.
  for (const client of [ana, await startWith(keyA)]) {
    expect(await client.tries(getDocument, { params })).toMatchObject(locked)
    expect(await client.tries(listDocuments)).toMatchObject(locked)
    expect(await client.tries(createDocument, { input: fields })).toMatchObject(locked)
  }
  expect(await contentOf(db)).toEqual(before)
})

test('a damaged document is left out of the list and cannot be read, and can be deleted [S44]', async () => {
  const { ana, db, document, keep } = await startEncrypted()
  const whole = await keep()
  // The texts of another row are authentic elsewhere, and damaged here.
  await db.execute(sql`
    update documents set title = other.title, content = other.content
    from documents other where documents.id = ${document.id} and other.id = ${whole.id}`)
  expect((await ana.does(listDocuments)).map(({ id }) => id)).toEqual([whole.id])
  const params = { id: document.id }
  expect(await ana.tries(getDocument, { params })).toMatchObject({ status: 400, code: 'DocumentDamaged' })
  expect(await ana.tries(deleteDocument, { params })).toMatchObject({ status: 200 })
})
