import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deleteAccount } from '#contract/account/endpoints.ts'
import { createPost } from '#contract/feed/endpoints.ts'
import { createRoom } from '#contract/rooms/endpoints.ts'
import { addMissingRoomWords } from '#server/features/rooms/index.ts'
import { untilLockWaits } from '#server/testing/lock-waits.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { storeWords } from '#server/testing/post-words.ts'
import { startLibrary } from '#server/testing/library.ts'

test('posts and rooms of before the search are found once their words are stored, and none is stored twice [LOOP-13]', async () => {
  const { ana, addPublished, lines, find, db } = await startLibrary()
  for (const n of [1, 2, 3]) await addPublished(`Marigold ${n}`, `2025-06-10T12:00:0${n}Z`)
  await ana.does(createRoom, { input: aRoom({ name: 'Marigold room' }) })
  await db.execute(sql`delete from room_words`)
  expect(await lines('marigold')).toEqual([])
  for (let run = 0; run < 2; run++) {
    await storeWords(db)
    await addMissingRoomWords(db, new AbortController().signal)
  }
  const all = ['Marigold 3', 'Marigold 2', 'Marigold 1']
  expect(await lines('marigold', { order: 'time' })).toEqual(all)
  expect((await find('marigold')).rooms.found).toHaveLength(1)
})

/** Of 49,998 characters with more than a megabyte of words. */
const hugeText = Array.from(
  { length: 8333 },
  (_, n) => `\ufdfa\ufdfa\ufdfa\ufdfa${String.fromCodePoint(0xac00 + n)}`,
).join(' ')

test('a text with more words than Postgres stores is published, and found by its first words [LOOP-13]', async () => {
  const { boss, find, db } = await startLibrary()
  const content = `Marigold ${hugeText.slice(0, 49_990)}`
  const { id } = await boss.does(createPost, {
    input: { content, authorName: 'The house', postType: 'admin' },
  })
  expect(await storeWords(db)).toEqual([])
  expect((await find('marigold')).posts.found.map((post) => post.id)).toEqual([id])
})

test('a post whose words cannot be stored is named in the log, and all others are found [LOOP-13]', async () => {
  const { addPublished, lines, db } = await startLibrary()
  const add = (n: number) => addPublished(`Marigold ${n}`, `2025-06-10T12:00:0${n}Z`)
  const ids = [await add(1), await add(2), await add(3)]
  await db.execute(
    sql`create function refuse() returns trigger language plpgsql as 'begin raise ''refused''; end'`,
  )
  await db.execute(sql`
    create trigger refuse before insert on post_words for each row when (new.post_id = ${sql.raw(`'${ids[1]}'`)}) execute function refuse()`)
  expect(await storeWords(db)).toEqual([ids[1]])
  expect(await lines('marigold', { order: 'time' })).toEqual(['Marigold 3', 'Marigold 1'])
})

test('a post that is deleted while its words are stored gets none, and nothing is reported as failed [LOOP-15]', async () => {
  const { addPublished, lines, db } = await startLibrary()
  const gone = await addPublished('Marigold 1')
  await addPublished('Marigold 2')
  const { indexing } = await db.transaction(async (tx) => {
    await tx.execute(sql`delete from posts where id = ${gone}`)
    const indexing = storeWords(db)
    await untilLockWaits(db)
    return { indexing }
  })
  expect(await indexing).toEqual([])
  expect(await lines('marigold')).toEqual(['Marigold 2'])
  expect(await db.$count(sql`post_words`)).toBe(1)
})

test('the deletion of an account rewrites no words, and the name of its author finds no post any more [S15 LOOP-14]', async () => {
  const { ana, publish, lines, db } = await startLibrary()
  await publish('Marigold')
  const versions = () => db.execute(sql`select xmin::text, ctid::text from post_words`)
  const { rows: before } = await versions()
  await ana.does(deleteAccount)
  expect((await versions()).rows).toEqual(before)
  expect(await lines('marigold', { author: 'Ana Lima' })).toEqual([])
  expect(await lines('marigold')).toEqual(['Marigold'])
})
