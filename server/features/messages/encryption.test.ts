import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { addFriend } from '#contract/friends/endpoints.ts'
import { listMessages, sendMessage } from '#contract/messages/endpoints.ts'
import { allEncryptedTables } from '#server/features.ts'
import { changeDiaryKey } from '#server/features/day-texts/index.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { contentOf } from '#server/testing/content.ts'
import { openStream } from '#server/testing/stream-client.ts'
import { atServerWithKey, type Client, startTestApp } from '#server/testing/test-app.ts'

const [keyA, keyB] = ['a1'.repeat(32), 'b2'.repeat(32)]

async function startWithMessages() {
  const t = await startTestApp({ config: { diaryKey: keyA } })
  const [ana, ben] = [await t.person(), await t.person()]
  await ana.does(addFriend, { input: { friendUserId: ben.me.id } })
  const to = (content: string, headers = {}) =>
    ana.tries(sendMessage, { input: { messageType: 'text', receiverId: ben.me.id, content }, headers })
  await to('A secret of the moon', { 'idempotency-key': 'one' })
  await ana.does(saveDiaryEntry, { input: { date: '2025-06-09', content: 'A secret of the sun' } })
  await ana.does(sendMessage, {
    input: { messageType: 'diary', receiverId: ben.me.id, diaryDate: '2025-06-09' },
  })
  /** The browser of Ben, at a server that was started with another key. */
  const startWith = (diaryKey: string | undefined) => atServerWithKey(t, diaryKey, ben)
  const read = (who: Client) => who.tries(listMessages, { params: { friendId: ana.me.id } })
  return { ...t, ana, ben, to, read, startWith }
}

test('with a key no table holds the text of a message or of a shared diary entry, and both friends read them [S44 PPL-10]', async () => {
  const { db, ben, read } = await startWithMessages()
  const content = JSON.stringify(await contentOf(db))
  for (const text of ['secret of the moon', 'secret of the sun']) {
    expect(content).not.toContain(text)
    expect(content).not.toContain(Buffer.from(text).toString('hex'))
  }
  expect((await read(ben)).body).toMatchObject([
    { content: 'A secret of the moon' },
    { content: 'A secret of the sun', message_type: 'diary' },
  ])
})

test('after a change of the key messages are read with the new one; with another key they are locked, and nothing is lost [S44 PPL-10]', async () => {
  const { db, read, startWith, ben, to } = await startWithMessages()
  const sources = { database: db, random: systemRandom, config: { diaryKey: keyA, newDiaryKey: keyB } }
  await changeDiaryKey(sources, allEncryptedTables)
  const withNew = await startWith(keyB)
  expect((await read(withNew)).body).toMatchObject([
    { content: 'A secret of the moon' },
    { content: 'A secret of the sun' },
  ])
  const before = await contentOf(db)
  for (const key of [keyA, undefined])
    expect(await read(await startWith(key))).toMatchObject({ status: 503, code: 'DiaryLocked' })
  // The process that still has the old key neither shows nor stores anything.
  expect(await read(ben)).toMatchObject({ status: 503, code: 'DiaryLocked' })
  expect(await to('Too late')).toMatchObject({ status: 503, code: 'DiaryLocked' })
  expect(await contentOf(db)).toEqual(before)
})

test('a message that was moved to another row is left out, and the others are read [S44]', async () => {
  const { db, ben, read } = await startWithMessages()
  await db.execute(sql`
    update direct_messages set content = (select content from direct_messages other where other.position = 1) where position = 2`)
  expect((await read(ben)).body).toMatchObject([{ content: 'A secret of the moon' }])
})

test('a person whose process still has the old key receives every event but messages [S44 R8]', async () => {
  const { app, db, person, ben } = await startWithMessages()
  const sources = { database: db, random: systemRandom, config: { diaryKey: keyA, newDiaryKey: keyB } }
  await changeDiaryKey(sources, allEncryptedTables)
  const stream = await openStream(app, ben, { inbox: ben.me.id, after: `1.${ben.me.id}.1` })
  const cem = await person()
  await cem.does(addFriend, { input: { friendUserId: ben.me.id } })
  expect(await stream.receives('friend.added')).toMatchObject({ id: cem.me.id })
  expect(stream.all('message')).toEqual([])
})
