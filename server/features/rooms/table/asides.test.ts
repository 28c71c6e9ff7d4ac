import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deleteAccount } from '#contract/account/endpoints.ts'
import { createRoom, deleteRoom, joinRoom, listPassages, sendPassage } from '#contract/rooms/endpoints.ts'
import { asidesKeptMs } from '#contract/rooms/table/asides.ts'
import { addAside, hostTable, listAsides } from '#contract/rooms/table/endpoints.ts'
import { seatsMax } from '#contract/rooms/table/table.ts'
import { DomainEvents } from '#server/domain-events.ts'
import { allEncryptedTables } from '#server/features.ts'
import { changeDiaryKey } from '#server/features/day-texts/index.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { contentOf } from '#server/testing/content.ts'
import { messengers, startTwoApps } from '#server/testing/messengers.ts'
import { answerWithoutChange } from '#server/testing/refusals.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { openStream } from '#server/testing/stream-client.ts'
import { atServerWithKey, type Client, startTestApp } from '#server/testing/test-app.ts'
import { feature } from '../index.ts'
import { openUploads } from '#server/platform/uploads/open-uploads.ts'

type Given = Parameters<typeof startTestApp>[0]

/** A table at which Ana and Ben sit. */
async function startTable(more: Parameters<typeof aRoom>[0] = {}, given: Given = {}) {
  const t = await startTestApp({ config: { limitsRates: false }, ...given })
  const [ana, ben] = [await t.person(), await t.person()]
  const room = await ana.does(createRoom, { input: aRoom({ turns: 'round', ...more }) })
  const params = { id: room.id }
  await ben.does(joinRoom, { params })
  const say = (who: Client, content: string, headers = {}) =>
    who.tries(addAside, { params, input: { content }, headers })
  const read = (who: Client, query = {}) => who.tries(listAsides, { params, query })
  const texts = async (who: Client) => (await who.does(listAsides, { params })).map(({ content }) => content)
  const refuses = (call: Parameters<typeof answerWithoutChange>[1]) => answerWithoutChange(t.db, call)
  /** What the server does every hour. */
  const purge = () => {
    const place = {
      database: t.db,
      dataDir: t.config.dataDir,
      uploads: openUploads(t.config),
      personalData: [],
      events: new DomainEvents(),
    }
    return feature.purges.asides(place, new AbortController().signal)
  }
  return { ...t, ana, ben, params, say, read, texts, refuses, purge }
}

test('people at a table talk beside the story, newest first and in pages, also where the story is folded [TURN-18]', async () => {
  const { ana, ben, clock, params, say, read } = await startTable({ isFolded: true, turns: 'baton' })
  expect(await say(ana, 'Shall she\r\nleave? 🌙')).toMatchObject({
    status: 201,
    body: { userId: ana.me.id, content: 'Shall she\nleave? 🌙', authorName: null },
  })
  for (const [n, who] of [ben, ana, ben].entries()) {
    clock.advance(1000)
    await say(who, `Answer ${n}`)
  }
  const all = await ana.does(listAsides, { params })
  expect(all.map(({ content }) => content)).toEqual([
    'Answer 2',
    'Answer 1',
    'Answer 0',
    'Shall she\nleave? 🌙',
  ])
  expect(all.map(({ userId }) => userId)).toEqual([ben, ana, ben, ana].map(({ me }) => me.id))
  const first = await read(ben, { limit: '3' })
  expect(first.body).toEqual(all.slice(0, 3))
  const before = first.headers['next-before'] as string
  const second = await read(ben, { limit: '3', before })
  expect(second.body).toEqual(all.slice(3))
  expect(second.headers['next-before']).toBeUndefined()
  expect(await read(ben, { before: 'yesterday' })).toMatchObject({ status: 400, code: 'InvalidInput' })
})

test('an aside has at most 500 characters and is never blank [TURN-18]', async () => {
  const { ana, say, refuses } = await startTable()
  expect((await say(ana, '🌙'.repeat(500))).status).toBe(201)
  for (const content of ['🌙'.repeat(501), ' \n', ''])
    expect(await refuses(() => say(ana, content))).toBe('400 InvalidInput')
})

test('a repeated key adds an aside once and stores its text in the asides alone [TURN-18 R7]', async () => {
  const { ana, db, say, texts } = await startTable()
  const headers = { 'idempotency-key': 'one' }
  const [first, again] = [await say(ana, 'canary0f9a', headers), await say(ana, 'canary0f9a', headers)]
  expect(again).toMatchObject({ status: 201, body: first.body as object })
  expect(await texts(ana)).toEqual(['canary0f9a'])
  expect((await contentOf(db)).idempotency_keys!.join()).not.toContain('canary0f9a')
  const other = await say(ana, 'Something else', headers)
  expect(other.status).toBe(400)
})

test('who has no seat neither reads nor writes: visitors, strangers, admins, those who wait, and whom the creator has removed [TURN-18]', async () => {
  const { ana, ben, params, say, read, refuses, person, visitor, admin } = await startTable()
  await say(ben, 'Only for us')
  for (let seats = 2; seats < seatsMax; seats++) await (await person()).does(joinRoom, { params })
  const waiting = await person()
  await waiting.does(joinRoom, { params })
  expect(await refuses(() => read(waiting))).toBe('403 NotSeated')
  expect(await refuses(() => say(waiting, 'And me?'))).toBe('403 NotSeated')
  await ana.does(hostTable, { params, input: { act: 'remove', userId: ben.me.id } })
  for (const who of [ben, await person(), await admin()]) {
    expect(await refuses(() => read(who))).toBe('403 NotRoomMember')
    expect(await refuses(() => say(who, 'And me?'))).toBe('403 NotRoomMember')
  }
  expect(await refuses(() => read(visitor()))).toBe('401 SignInRequired')
  expect(await refuses(() => say(visitor(), 'And me?'))).toBe('401 SignInRequired')
  // The seat of the removed member goes to the one who waited.
  expect((await waiting.does(listAsides, { params })).map(({ userId }) => userId)).toEqual([ben.me.id])
})

test('a person who is away keeps the seat and the talk, also at a slow table [TURN-18]', async () => {
  const { ana, ben, params, say, texts, db } = await startTable({ turnSeconds: 43_200, duration: 4320 })
  await db.execute(sql`update room_members set table_state = 'away' where user_id = ${ben.me.id}`)
  expect((await say(ben, 'I am travelling')).status).toBe(201)
  expect(await texts(ana)).toEqual(['I am travelling'])
  expect(await ana.does(listPassages, { params })).toEqual([])
})

test('a room without turns has no asides, as if it did not exist [TURN-18]', async () => {
  const { ana, refuses } = await startTable()
  const { id } = await ana.does(createRoom, { input: aRoom() })
  for (const params of [{ id }, { id: id.replace(/^.{8}/, '01900000') }]) {
    expect(await refuses(() => ana.tries(listAsides, { params }))).toBe('404 RoomNotFound')
    const said = () => ana.tries(addAside, { params, input: { content: 'Hello' } })
    expect(await refuses(said)).toBe('404 RoomNotFound')
  }
})

test('one person says at most 30 things a minute [TURN-18]', async () => {
  const { ana, ben, clock, say } = await startTable({}, { config: { limitsRates: true } })
  for (let n = 0; n < 30; n++) expect((await say(ana, `${n}`)).status).toBe(201)
  expect((await say(ana, 'One more')).status).toBe(429)
  expect((await say(ben, 'Mine')).status).toBe(201)
  clock.advance(61_000)
  expect((await say(ana, 'Later')).status).toBe(201)
})

test('after the end nobody says more, the asides are read for 24 hours, and then they are deleted [TURN-18]', async () => {
  const { ana, ben, clock, db, params, say, read, refuses, texts, purge } = await startTable({ duration: 30 })
  await say(ana, 'Nearly there')
  clock.advance(10 * 60_000)
  await ana.does(hostTable, { params, input: { act: 'end' } })
  expect(await refuses(() => say(ben, 'Well done'))).toBe('403 RoomExpired')
  const running = await ana.does(createRoom, {
    input: aRoom({ turns: 'round', turnSeconds: 86_400, duration: 43_200 }),
  })
  const kept = { params: { id: running.id }, input: { content: 'Still open' } }
  await ana.does(addAside, kept)
  clock.advance(asidesKeptMs - 60_000)
  await purge()
  expect(await texts(ben)).toEqual(['Nearly there'])
  clock.advance(61_000)
  expect(await read(ben)).toMatchObject({ status: 200, body: [] })
  expect((await contentOf(db)).room_asides).toHaveLength(2)
  await purge()
  expect((await contentOf(db)).room_asides).toHaveLength(1)
  expect((await ana.does(listAsides, kept)).map(({ content }) => content)).toEqual(['Still open'])
})

test('the purge deletes all asides of a room, however many [TURN-18]', async () => {
  const { ana, db, clock, params, purge } = await startTable({ duration: 15 })
  await db.execute(sql`
    insert into room_asides (room_id, id, user_id, content, created_at)
    select ${params.id}, gen_random_uuid(), ${ana.me.id}, 'Hm', app_now() from generate_series(1, 2500)`)
  clock.advance(15 * 60_000 + asidesKeptMs + 1000)
  await purge()
  expect(await contentOf(db)).toMatchObject({ room_asides: [] })
})

test('with the room, and with the account of their author, asides are deleted [TURN-18 S15]', async () => {
  const { ana, ben, db, params, say, texts, admin } = await startTable()
  await say(ana, 'From Ana')
  await say(ben, 'From Ben')
  await ben.does(deleteAccount)
  expect(await texts(ana)).toEqual(['From Ana'])
  expect((await contentOf(db)).room_asides).toHaveLength(1)
  await (await admin()).does(deleteRoom, { params })
  expect((await contentOf(db)).room_asides).toEqual([])
})

test.for(messengers)(
  'over %s people with a seat are told that somebody has spoken, in all processes, without the text; readers and those who wait are not [TURN-18]',
  async (messenger, context) => {
    const { app, other, atOther, person, visitor } = await startTwoApps(messenger, context)
    const [ana, ben] = [await person(), await person()]
    const { id } = await ana.does(createRoom, { input: aRoom({ turns: 'round' }) })
    const params = { id }
    await ben.does(joinRoom, { params })
    for (let seats = 2; seats < seatsMax; seats++) await (await person()).does(joinRoom, { params })
    const [waiting, stranger] = [await person(), await person()]
    await waiting.does(joinRoom, { params })
    const seated = [
      await openStream(app, ana, { rooms: [id] }),
      await openStream(other, ben, { rooms: [id] }),
    ]
    const others = await Promise.all(
      [waiting, stranger, visitor()].map((who) => openStream(other, who, { rooms: [id] })),
    )
    for (const stream of [...seated, ...others]) await stream.receives('room.turn')
    await atOther(ben).does(addAside, { params, input: { content: 'canary0f9a' } })
    for (const stream of seated) expect(await stream.receives('room.aside')).toEqual({ roomId: id })
    // The passage is published after the aside.
    await ana.does(sendPassage, { params, input: { content: 'A line', turn: 1 } })
    for (const stream of [...seated, ...others]) await stream.receives('room.message')
    for (const stream of others) expect(stream.all('room.aside')).toEqual([])
    for (const { text } of [...seated, ...others]) expect(text).not.toContain('canary0f9a')
  },
)

const [keyA, keyB] = ['a1'.repeat(32), 'b2'.repeat(32)]

test('with a key no table holds the text of an aside; a new key reads it, and another one neither reads nor adds [TURN-18 S44]', async () => {
  const t = await startTable({}, { config: { limitsRates: false, diaryKey: keyA } })
  const { ana, db, params, say, read, texts, refuses } = t
  await say(ana, 'canary0f9a')
  const stored = JSON.stringify(await contentOf(db))
  expect(stored).not.toContain('canary0f9a')
  expect(stored).not.toContain(Buffer.from('canary0f9a').toString('hex'))
  expect(await texts(ana)).toEqual(['canary0f9a'])
  const keys = { diaryKey: keyA, newDiaryKey: keyB }
  await changeDiaryKey({ database: db, random: systemRandom, config: keys }, allEncryptedTables)
  // The process that still has the old key neither shows nor stores anything.
  expect(await refuses(() => read(ana))).toBe('503 DiaryLocked')
  expect(await refuses(() => say(ana, 'Too late'))).toBe('503 DiaryLocked')
  const client = await atServerWithKey(t, keyB, ana)
  expect((await client.does(listAsides, { params })).map(({ content }) => content)).toEqual(['canary0f9a'])
})

test('an aside that was moved to another row is left out, and the others are read [TURN-18 S44]', async () => {
  const { ana, ben, db, say, texts } = await startTable(
    {},
    { config: { limitsRates: false, diaryKey: keyA } },
  )
  await say(ana, 'From Ana')
  await say(ben, 'From Ben')
  await db.execute(sql`
    update room_asides set content = (select content from room_asides other where other.user_id = ${ana.me.id})
    where user_id = ${ben.me.id}`)
  expect(await texts(ana)).toEqual(['From Ana'])
})
