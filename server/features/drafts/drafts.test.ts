import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { draftsMax, draftsMaxMiB } from '#contract/drafts/draft.ts'
import { createDraft, deleteDraft, getDraft, listDrafts, saveDraft } from '#contract/drafts/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { allEncryptedTables } from '#server/features.ts'
import { changeDiaryKey } from '#server/features/day-texts/index.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { contentOf } from '#server/testing/content.ts'
import { atServerWithKey, startTestApp } from '#server/testing/test-app.ts'

const [keyA, keyB] = ['a1'.repeat(32), 'b2'.repeat(32)]
const chosen = {
  authorName: 'Nightingale',
  postType: 'premium',
  form: 'verse',
  category: 'Poetry',
  tags: ['night', 'moon'],
} as const

async function startWriting(config: NonNullable<Parameters<typeof startTestApp>[0]>['config'] = {}) {
  const t = await startTestApp({ config: { limitsRates: false, ...config } })
  const ana = await t.person()
  const write = (content: string, more: object = {}) => ana.does(createDraft, { input: { content, ...more } })
  const save = (draft: { id: string; updatedAt: string }, content: string) =>
    ana.tries(saveDraft, { params: { id: draft.id }, input: { content, base: draft.updatedAt } })
  const read = async ({ id }: { id: string }) => ana.does(getDraft, { params: { id } })
  return { ...t, ana, write, save, read }
}

test('a writer continues a draft with all its choices on another device, and the last changed one is listed first [LOOP-05]', async () => {
  const { ana, write, save, read, clock } = await startWriting()
  const first = await write('The moon\nis late', chosen)
  expect(first).toMatchObject({ content: 'The moon\nis late', postId: null, ...chosen })
  clock.advance(1000)
  const second = await write('Another text of five words')
  expect(second).toMatchObject({
    authorName: null,
    postType: 'standard',
    form: null,
    category: null,
    tags: [],
  })
  expect(await ana.does(listDrafts)).toEqual([
    { id: second.id, beginning: second.content, wordCount: 5, updatedAt: second.updatedAt, postId: null },
    { id: first.id, beginning: first.content, wordCount: 4, updatedAt: first.updatedAt, postId: null },
  ])
  clock.advance(1000)
  expect(await save(first, 'The moon\nis here')).toMatchObject({ status: 200 })
  expect(await read(first)).toMatchObject({ content: 'The moon\nis here', createdAt: first.createdAt })
  expect((await ana.does(listDrafts)).map(({ id }) => id)).toEqual([first.id, second.id])
})

test('a draft that was written elsewhere keeps its times, which are never in the future [OWN-07]', async () => {
  const { ana, db, write, read } = await startWriting()
  const times = { createdAt: '2019-06-10T08:15:00.000Z', updatedAt: '2019-06-11T08:15:00.000Z' }
  const moved = await write('Rain', times)
  expect(moved).toMatchObject(times)
  expect(await read(moved)).toEqual(moved)
  const future = '9999-01-01T00:00:00.000Z'
  const odd = await write('Wind', { createdAt: future, updatedAt: future })
  expect(odd.createdAt).toBe(odd.updatedAt)
  expect(odd.updatedAt < '2027').toBe(true)
  const before = await contentOf(db)
  for (const name of ['createdAt', 'updatedAt']) {
    const input = { content: 'Sun', [name]: '2025-02-30T10:00:00.000Z' }
    expect(await ana.tries(createDraft, { input })).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      fields: { [name]: expect.any(String) },
    })
  }
  expect(await contentOf(db)).toEqual(before)
})

test('a writer reads the list of drafts in pages, each draft once, also when one page would hold too much text [LOOP-05]', async () => {
  const { ana, write } = await startWriting()
  const written = []
  // Three of them are more than a megabyte.
  for (let n = 0; n < 7; n++) written.unshift((await write('🌒'.repeat(100_000), {})).id)
  const found: string[] = []
  let before: string | undefined
  const sizes = []
  do {
    const page = await ana.tries(listDrafts, { query: { limit: '5', ...(before && { before }) } })
    const ids = (page.body as { id: string }[]).map(({ id }) => id)
    found.push(...ids)
    sizes.push(ids.length)
    before = page.headers['next-before'] as string | undefined
  } while (before !== undefined)
  expect(found).toEqual(written)
  expect(sizes).toEqual([3, 3, 1])
})

test('a save on a device that has not seen the newest text stores nothing and answers that text [LOOP-05]', async () => {
  const { db, write, save } = await startWriting()
  const draft = await write('first')
  const { body: current } = await save(draft, 'second')
  const before = await contentOf(db)
  expect(await save(draft, 'third')).toMatchObject({ status: 400, code: 'DraftConflict', body: { current } })
  expect(await contentOf(db)).toEqual(before)
})

test('a device that creates a draft again that another device has changed overwrites nothing [LOOP-05]', async () => {
  const { ana, db, write } = await startWriting()
  const draft = await write('first')
  const before = await contentOf(db)
  const again = await ana.tries(createDraft, { input: { id: draft.id, content: 'second' } })
  expect(again).toMatchObject({ status: 400, code: 'DraftConflict', body: { current: draft } })
  expect(await contentOf(db)).toEqual(before)
})

test('each save has a later time than the one before, also when the clock is behind, so that an older base is told apart [LOOP-05]', async () => {
  const { db, write, save, read } = await startWriting()
  const { id } = await write('first')
  await db.execute(sql`update drafts set updated_at = app_now() + interval '1 hour'`)
  const draft = await read({ id })
  const { body } = await save(draft, 'second')
  expect((body as typeof draft).updatedAt > draft.updatedAt).toBe(true)
  expect(await save(draft, 'third')).toMatchObject({ code: 'DraftConflict' })
})

test('the time that a new draft is answered with is the stored one, also when the database takes long [LOOP-05]', async () => {
  const { db, write, save } = await startWriting()
  await db.execute(sql`alter function app_now() rename to app_now_at_once`)
  await db.execute(sql`
    create function app_now() returns timestamptz language sql volatile
    as 'select app_now_at_once() from pg_sleep(0.01)'`)
  expect(await save(await write('first'), 'second')).toMatchObject({ status: 200 })
})

test('of 50 equal saves at once one is stored, and the others are answered with its text [LOOP-05 R6]', async () => {
  const { write, save, read } = await startWriting()
  const draft = await write('first')
  const answers = await Promise.all(Array.from({ length: 50 }, () => save(draft, 'second')))
  const current = await read(draft)
  expect(current.content).toBe('second')
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const conflicts = answers.filter(({ code }) => code === 'DraftConflict')
  expect(conflicts.map(({ body }) => body)).toEqual(
    Array.from({ length: 49 }, () => expect.objectContaining({ current })),
  )
})

test('a repeated creation makes no second draft, and no text of the draft is stored with the key [LOOP-05 R7]', async () => {
  const { ana, db } = await startWriting()
  const sent = {
    input: { content: 'A moonlit line', ...chosen, authorName: 'Moonlit', tags: ['moonlit'] },
    headers: { 'idempotency-key': 'one' },
  }
  const first = await ana.does(createDraft, sent)
  expect(await ana.does(createDraft, sent)).toEqual(first)
  expect(await ana.does(listDrafts)).toHaveLength(1)
  const { idempotency_keys: keys } = await contentOf(db)
  expect(keys).toHaveLength(1)
  expect(keys!.join()).not.toMatch(/moonlit/i)
})

test('a person has at most 200 drafts: one more is refused, the others are still saved [LOOP-05 S31]', async () => {
  const { ana, db, write, save } = await startWriting()
  const last = await write('the last one')
  await db.execute(sql`
    insert into drafts (user_id, id, content, size, post_type, created_at, updated_at)
    select ${ana.me.id}, gen_random_uuid(), 'x', 1, 'standard', app_now(), app_now() from generate_series(2, ${draftsMax}::int)`)
  const before = await contentOf(db)
  expect(await ana.tries(createDraft, { input: { content: 'one more' } })).toMatchObject({
    status: 400,
    code: 'DraftsFull',
  })
  expect(await contentOf(db)).toEqual(before)
  expect(await save(last, 'changed')).toMatchObject({ status: 200 })
})

test('the drafts of a person take at most 32 MiB: a longer text is refused, a shorter one is saved [LOOP-05 S31]', async () => {
  const { ana, db, write, save, read } = await startWriting()
  const draft = await write('short')
  await db.execute(sql`
    insert into drafts (user_id, id, content, size, post_type, created_at, updated_at)
    values (${ana.me.id}, gen_random_uuid(), 'x', ${draftsMaxMiB * 1024 * 1024 - 5}::int, 'standard', app_now(), app_now())`)
  const before = await contentOf(db)
  expect(await save(draft, 'longer')).toMatchObject({ status: 400, code: 'DraftsFull' })
  expect(await ana.tries(createDraft, { input: { content: 'x' } })).toMatchObject({ code: 'DraftsFull' })
  expect(await contentOf(db)).toEqual(before)
  expect(await save(draft, 'brief')).toMatchObject({ status: 200 })
  expect((await read(draft)).content).toBe('brief')
})

test('a person who creates and saves drafts more than 120 times in a minute waits, and nothing is stored meanwhile [LOOP-05 S47]', async () => {
  const { ana, db, person, clock, write, save, read } = await startWriting({ limitsRates: true })
  for (let n = 0; n < 60; n++) await write(`Draft ${n}`)
  let draft = await write('first')
  for (let n = 0; n < 59; n++) {
    await save(draft, `version ${n}`)
    draft = await read(draft)
  }
  const before = await contentOf(db)
  expect(await save(draft, 'one more')).toMatchObject({ status: 429 })
  expect(await ana.tries(createDraft, { input: { content: 'one more' } })).toMatchObject({ status: 429 })
  expect(await contentOf(db)).toEqual(before)
  await (await person()).does(createDraft, { input: { content: 'of somebody else' } })
  clock.advance(60_000)
  expect(await save(draft, 'one more')).toMatchObject({ status: 200 })
})

test('no other person reads, changes or deletes a draft, also not with its id [LOOP-34]', async () => {
  const { ana, db, person, admin, write } = await startWriting()
  const draft = await write('mine')
  const [ben, boss] = [await person(), await admin()]
  const before = await contentOf(db)
  const params = { id: draft.id }
  for (const other of [ben, boss]) {
    expect(await other.does(listDrafts)).toEqual([])
    expect(await other.tries(getDraft, { params })).toMatchObject({ status: 404, code: 'DraftNotFound' })
    expect(
      await other.tries(saveDraft, { params, input: { content: 'theirs', base: draft.updatedAt } }),
    ).toMatchObject({ status: 404 })
    expect(await other.tries(deleteDraft, { params })).toMatchObject({ status: 404 })
  }
  expect(await contentOf(db)).toEqual(before)
  // The ids of two people are independent: nobody learns which ids others use.
  await ben.does(createDraft, { input: { id: draft.id, content: 'of Ben' } })
  expect(await ana.does(getDraft, { params })).toEqual(draft)
})

test('a submitted post takes its draft with it, and never the draft of another person [LOOP-05 LOOP-34]', async () => {
  const { ana, db, person, write } = await startWriting()
  const [sent, kept] = [await write('sent'), await write('kept')]
  const ben = await person()
  const post = { content: 'sent', authorName: 'Ana' }
  await ben.does(submitPost, { input: { ...post, draftId: sent.id, draftBase: sent.updatedAt } })
  expect((await ana.does(listDrafts)).map(({ id }) => id)).toEqual([kept.id, sent.id])
  await ana.does(submitPost, { input: { ...post, draftId: sent.id, draftBase: sent.updatedAt } })
  expect((await ana.does(listDrafts)).map(({ id }) => id)).toEqual([kept.id])
  // A refused submission leaves the draft.
  const before = await contentOf(db)
  const refused = await ana.tries(submitPost, {
    input: { ...post, content: ' ', draftId: kept.id, draftBase: kept.updatedAt },
  })
  expect(refused).toMatchObject({ status: 400 })
  expect(await contentOf(db)).toEqual(before)
})

test('a text that another device has saved since stays when the older one is submitted, or its draft is cleaned up [LOOP-05 R22]', async () => {
  const { ana, db, write, save, read } = await startWriting()
  const draft = await write('first')
  await save(draft, 'second')
  const newer = await read(draft)
  const input = { content: 'first', authorName: 'Ana', draftId: draft.id }
  await ana.does(submitPost, { input: { ...input, draftBase: draft.updatedAt } })
  await ana.does(submitPost, { input: { ...input, content: 'first again' } })
  const params = { id: draft.id }
  const before = await contentOf(db)
  const removal = await ana.tries(deleteDraft, { params, query: { base: draft.updatedAt } })
  expect(removal).toMatchObject({ status: 404, code: 'DraftNotFound' })
  const noInstant = '2025-02-30T10:00:00.000Z'
  const answers = [
    await ana.tries(deleteDraft, { params, query: { base: noInstant } }),
    await ana.tries(submitPost, { input: { ...input, draftBase: noInstant } }),
  ]
  expect(answers.map(({ status, code }) => [status, code])).toEqual([
    [400, 'InvalidInput'],
    [400, 'InvalidInput'],
  ])
  expect(await contentOf(db)).toEqual(before)
  expect(await read(draft)).toEqual(newer)
  await ana.does(deleteDraft, { params, query: { base: newer.updatedAt } })
  expect(await ana.does(listDrafts)).toEqual([])
})

test('a post that cannot be stored leaves its draft [LOOP-05]', async () => {
  const { ana, db, write, read } = await startWriting()
  const draft = await write('sent')
  await db.execute(sql`alter table posts add constraint refuses check (author_name <> 'Refused')`)
  const input = { content: 'sent', authorName: 'Refused', draftId: draft.id, draftBase: draft.updatedAt }
  expect(await ana.tries(submitPost, { input })).toMatchObject({ status: 500 })
  expect(await read(draft)).toEqual(draft)
})

async function startEncrypted() {
  const t = await startWriting({ diaryKey: keyA })
  const draft = await t.write('A secret of the moon', chosen)
  /** The browser of Ana, at a server that was started with another key. */
  const startWith = (diaryKey: string | undefined) => atServerWithKey(t, diaryKey, t.ana)
  return { ...t, draft, startWith }
}

test('with a key no table holds the text of a draft, and its author reads it [LOOP-05 S44]', async () => {
  const { db, draft, read } = await startEncrypted()
  const content = JSON.stringify(await contentOf(db))
  expect(content).not.toContain('secret of the moon')
  expect(content).not.toContain(Buffer.from('secret of the moon').toString('hex'))
  expect(await read(draft)).toEqual(draft)
})

test('after a change of the key drafts are read with the new one; with another key they are locked, and nothing is lost [LOOP-05 S44]', async () => {
  const { db, ana, draft, save, startWith } = await startEncrypted()
  const sources = { database: db, random: systemRandom, config: { diaryKey: keyA, newDiaryKey: keyB } }
  expect(await changeDiaryKey(sources, allEncryptedTables)).toMatch(/^1 texts /)
  const params = { id: draft.id }
  expect(await (await startWith(keyB)).does(getDraft, { params })).toEqual(draft)
  const before = await contentOf(db)
  const locked = { status: 503, code: 'DiaryLocked' }
  for (const client of [ana, await startWith(keyA), await startWith(undefined)]) {
    expect(await client.tries(getDraft, { params })).toMatchObject(locked)
    expect(await client.tries(listDrafts)).toMatchObject(locked)
    expect(await client.tries(createDraft, { input: { content: 'Too late' } })).toMatchObject(locked)
  }
  expect(await save(draft, 'Too late')).toMatchObject(locked)
  expect(await contentOf(db)).toEqual(before)
})

test('a damaged draft is left out of the list, is not overwritten, and can be deleted [LOOP-05 S44]', async () => {
  const { ana, db, draft, write, save } = await startEncrypted()
  const whole = await write('whole')
  // The text of another row is authentic elsewhere, and damaged here.
  await db.execute(sql`
    update drafts set content = (select content from drafts other where other.id = ${whole.id}) where id = ${draft.id}`)
  expect((await ana.does(listDrafts)).map(({ id }) => id)).toEqual([whole.id])
  const params = { id: draft.id }
  expect(await ana.tries(getDraft, { params })).toMatchObject({ status: 400, code: 'DraftDamaged' })
  const before = await contentOf(db)
  const stale = { ...draft, updatedAt: '2025-01-01T00:00:00.000Z' }
  expect(await save(stale, 'over it')).toMatchObject({ code: 'DraftDamaged' })
  expect(await contentOf(db)).toEqual(before)
  expect(await ana.tries(deleteDraft, { params })).toMatchObject({ status: 200 })
})
