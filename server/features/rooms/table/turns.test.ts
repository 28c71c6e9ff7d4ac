import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deleteAccount } from '#contract/account/endpoints.ts'
import { changeSettings } from '#contract/account/settings/endpoints.ts'
import { addFriend, blockPerson } from '#contract/friends/endpoints.ts'
import { createRoom, getRoom, joinRoom, listPassages, sendPassage } from '#contract/rooms/endpoints.ts'
import type { RoomPassage } from '#contract/rooms/room.ts'
import { getTurn, passTurn, returnToTable, renewLease, takeSeat } from '#contract/rooms/table/endpoints.ts'
import { blocks } from '#server/features/friends/schema.ts'
import { contentOf } from '#server/testing/content.ts'
import { holdLocks, untilLockWaits } from '#server/testing/lock-waits.ts'
import { answerWithoutChange } from '#server/testing/refusals.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { roomMembers, roomPassages } from '../schema.ts'

type RoomInput = NonNullable<Parameters<typeof aRoom>[0]>

/** A table with so many people at it. The first is the creator, and holds the first turn. */
async function startTable(count: number, more: RoomInput = {}) {
  const t = await startTestApp({ config: { limitsRates: false } })
  const people: Client[] = []
  for (let n = 0; n < count; n++) people.push(await t.person())
  const room = await people[0]!.does(createRoom, { input: aRoom({ turns: 'round', ...more }) })
  const params = { id: room.id }
  for (const each of people.slice(1)) await each.does(joinRoom, { params })
  const turn = (who: Client = t.visitor()) => who.does(getTurn, { params })
  const send = (who: Client, n: number | undefined, content = 'A line', next?: string) =>
    who.tries(sendPassage, {
      params,
      input: { content, ...(n !== undefined && { turn: n }), ...(next !== undefined && { next }) },
    })
  const renew = (who: Client, number: number) => who.tries(renewLease, { params, input: { number } })
  const pass = (who: Client, number: number, next?: string) =>
    who.tries(passTurn, { params, input: { number, ...(next !== undefined && { next }) } })
  const refuses = (call: Parameters<typeof answerWithoutChange>[1]) => answerWithoutChange(t.db, call)
  return { ...t, people, room, params, turn, send, renew, pass, refuses }
}

test('the creator chooses the rule, the length of turns and that of passages, and a room of the specified call has none [TURN-01]', async () => {
  const { person, visitor } = await startTestApp()
  const ana = await person()
  const made = async (more: RoomInput) => {
    const { id } = await ana.does(createRoom, { input: aRoom(more) })
    const { turns, isFolded, turnSeconds, passageMax, isClosed } = await visitor().does(getRoom, {
      params: { id },
    })
    return [turns, isFolded, turnSeconds, passageMax, isClosed]
  }
  expect(await made({})).toEqual(['free', false, null, null, false])
  expect(await made({ turns: 'baton' })).toEqual(['baton', false, 120, 500, false])
  expect(await made({ turns: 'round', isFolded: true })).toEqual(['round', true, 120, 180, false])
  expect(await made({ turns: 'round', turnSeconds: 240, passageMax: 2000 })).toEqual([
    'round',
    false,
    240,
    2000,
    false,
  ])
  expect(await made({ turns: 'baton', turnSeconds: 86_400, duration: 43_200 })).toEqual([
    'baton',
    false,
    86_400,
    500,
    false,
  ])
})

test.each([
  [{ isFolded: true }, 'isFolded'],
  [{ turnSeconds: 60 }, 'turnSeconds'],
  [{ passageMax: 180 }, 'passageMax'],
  [{ turns: 'round', turnSeconds: 61 }, 'turnSeconds'],
  [{ turns: 'round', passageMax: 5000 }, 'passageMax'],
  [{ turns: 'all' }, 'turns'],
  [{ turns: 'round', duration: 4320 }, 'duration'],
  [{ turns: 'round', turnSeconds: 43_200 }, 'duration'],
])('a room with %j is refused and not stored [TURN-01]', async (more, field) => {
  const { person, db } = await startTestApp()
  const ana = await person()
  const before = await contentOf(db)
  const answer = await ana.tries(createRoom, { input: { ...aRoom(), ...more } })
  expect(answer).toMatchObject({ status: 400, code: 'InvalidInput', fields: { [field]: expect.any(String) } })
  expect(await contentOf(db)).toEqual(before)
})

test('people write in the order of their seats, the creator first, and each passage passes the turn on [TURN-02 TURN-03 TURN-04 TURN-09]', async () => {
  const { people, turn, send, visitor, params } = await startTable(3)
  const [ana, ben, cleo] = people as [Client, Client, Client]
  const first = await turn()
  expect(first).toMatchObject({
    roomId: params.id,
    number: 1,
    holderId: ana.me.id,
    isLast: false,
    waitingCount: 0,
    placeInLine: null,
    tail: null,
    seats: people.map(({ me }) => ({ userId: me.id, name: null, state: 'ready', words: 0 })),
  })
  expect(Date.parse(first.endsAt!) - Date.parse(first.now)).toBeGreaterThan(110_000)
  const writers = [ana, ben, cleo, ana]
  for (const [i, who] of writers.entries()) {
    const answer = await send(who, i + 1, 'Two words')
    expect(answer).toMatchObject({ status: 201, body: { position: i + 1, words: 2, folded: false } })
  }
  expect(await turn()).toMatchObject({ number: 5, holderId: ben.me.id })
  expect((await turn()).seats.map(({ words }) => words)).toEqual([4, 2, 2])
  const story = await visitor().does(listPassages, { params })
  expect(story.map(({ userId, words }) => [userId, words])).toEqual(writers.map(({ me }) => [me.id, 2]))
})

test('a person who is not the holder, names an old turn or sends too long a passage is refused, and nothing changes [TURN-04 TURN-20]', async () => {
  const { people, send, renew, pass, refuses, person, turn, clock, db } = await startTable(2)
  const [ana, ben] = people as [Client, Client]
  await send(ana, 1)
  await send(ben, 2)
  const stranger = await person()
  expect(await refuses(() => send(ben, 3))).toBe('403 NotYourTurn')
  expect(await refuses(() => send(ana, undefined))).toBe('403 NotYourTurn')
  expect(await refuses(() => send(ana, 4))).toBe('403 NotYourTurn')
  expect(await refuses(() => send(ana, 1))).toBe('403 TurnOver')
  expect(await refuses(() => send(ana, 3, 'x'.repeat(501)))).toBe('400 PassageTooLong')
  expect(await refuses(() => send(stranger, 3))).toBe('403 NotRoomMember')
  for (const call of [renew, pass]) {
    expect(await refuses(() => call(ben, 3))).toBe('403 NotYourTurn')
    expect(await refuses(() => call(ana, 2))).toBe('403 TurnOver')
    expect(await refuses(() => call(stranger, 3))).toBe('403 NotRoomMember')
  }
  expect(await turn()).toMatchObject({ number: 3, holderId: ana.me.id })
  clock.advance(120_000)
  expect(await send(ana, 3)).toMatchObject({ status: 403, code: 'TurnOver' })
  expect(await db.$count(roomPassages)).toBe(2)
  clock.advance(30 * 60_000)
  for (const call of [send, renew])
    expect(await call(ana, 3)).toMatchObject({ status: 403, code: 'RoomExpired' })
  expect(await db.$count(roomPassages)).toBe(2)
})

test('the server stores one of 50 equal passages of a turn, and refuses 49 [TURN-03 TURN-04]', async () => {
  const { people, send, params, visitor } = await startTable(2)
  const answers = await Promise.all(Array.from({ length: 50 }, () => send(people[0]!, 1)))
  const refused = answers.filter(({ status }) => status !== 201)
  expect(refused).toHaveLength(49)
  for (const answer of refused) expect(answer).toMatchObject({ status: 403, code: 'TurnOver' })
  expect(await visitor().does(listPassages, { params })).toHaveLength(1)
})

test('the database refuses a second passage of one turn [TURN-03]', async () => {
  const { people, send, db } = await startTable(2)
  await send(people[0]!, 1)
  const [passage] = await db.select().from(roomPassages)
  const second = { ...passage!, id: randomUUID(), position: 2, event: 100 }
  await expect(db.insert(roomPassages).values(second)).rejects.toMatchObject({
    cause: { constraint: 'room_messages_by_turn' },
  })
  await db.insert(roomPassages).values({ ...second, turn: 2 })
})

test('a repeated passage with one key is sent once, and its text is not stored with the key [TURN-04]', async () => {
  const { people, params, db } = await startTable(2)
  const again = () =>
    people[0]!.tries(sendPassage, {
      params,
      input: { content: 'Once upon a time', turn: 1 },
      headers: { 'idempotency-key': 'k1' },
    })
  const [first, second] = [await again(), await again()]
  expect([first.status, second.status, second.body]).toEqual([201, 201, first.body])
  expect((first.body as RoomPassage).content).toBe('Once upon a time')
  const { idempotency_keys: keys, room_messages: passages } = await contentOf(db)
  expect(passages).toHaveLength(1)
  expect(keys!.join()).not.toContain('Once upon')
})

test('the holder of the baton names the next writer, but nobody who has just written, is away, blocked or unknown [TURN-10 TURN-20]', async () => {
  const { people, send, pass, refuses, turn, person, db } = await startTable(5, { turns: 'baton' })
  const [ana, ben, cleo, dan, eve] = people as [Client, Client, Client, Client, Client]
  await db
    .update(roomMembers)
    .set({ tableState: 'away', awaySince: '2025-06-10T12:00:00Z' })
    .where(eq(roomMembers.userId, eve.me.id))
  const stranger = await person()
  for (const { me } of [ana, stranger]) await dan.does(blockPerson, { input: { userId: me.id } })
  for (const next of [ana.me.id, dan.me.id, eve.me.id, stranger.me.id, '0000000000']) {
    expect(await refuses(() => send(ana, 1, 'A line', next))).toBe('403 NotNext')
    expect(await refuses(() => pass(ana, 1, next))).toBe('403 NotNext')
  }
  expect((await send(ana, 1, 'A line', cleo.me.id)).status).toBe(201)
  expect(await turn()).toMatchObject({ number: 2, holderId: cleo.me.id })
  // A block is not told to a caller who may not name anybody.
  for (const call of [pass, (who: Client, n: number, next: string) => send(who, n, 'A line', next)]) {
    expect(await refuses(() => call(ana, 2, dan.me.id))).toBe('403 NotYourTurn')
    expect(await refuses(() => call(ana, 1, dan.me.id))).toBe('403 TurnOver')
    expect(await refuses(() => call(stranger, 2, dan.me.id))).toBe('403 NotRoomMember')
  }
  expect(await refuses(() => send(cleo, 2, 'A line', ana.me.id))).toBe('403 NotNext')
  expect((await pass(cleo, 2, ben.me.id)).body).toMatchObject({ number: 3, holderId: ben.me.id })
  // Without a name the writer who has waited longest is next.
  expect((await send(ben, 3)).status).toBe(201)
  expect((await turn()).holderId).toBe(dan.me.id)
})

test('a holder who passes while the named writer blocks is refused [TURN-10]', async () => {
  const { people, pass, turn, db } = await startTable(4, { turns: 'baton' })
  const [ana, ben] = people as [Client, Client]
  const release = await holdLocks(db, sql`select 1 from users where id = ${ana.me.id} for no key update`)
  const passing = pass(ana, 1, ben.me.id)
  await untilLockWaits(db)
  await db.insert(blocks).values({ blockerId: ben.me.id, blockedId: ana.me.id, createdAt: sql`app_now()` })
  await release()
  expect(await passing).toMatchObject({ status: 403, code: 'NotNext' })
  expect(await turn()).toMatchObject({ number: 1, holderId: ana.me.id })
})

test('a holder who renews the lease keeps the turn, and a holder who does not renew it loses the turn and is away after the second lapsed turn, until the return [TURN-05 TURN-08 TURN-14]', async () => {
  const { people, renew, turn, clock, params } = await startTable(2)
  const [ana, ben] = people as [Client, Client]
  clock.advance(15_000)
  expect((await renew(ana, 1)).status).toBe(200)
  clock.advance(24_000)
  expect(await turn()).toMatchObject({ number: 1, holderId: ana.me.id })
  clock.advance(2000)
  expect(await turn()).toMatchObject({ number: 2, holderId: ben.me.id })
  clock.advance(21_000)
  expect(await turn()).toMatchObject({ number: 3, holderId: ana.me.id })
  clock.advance(21_000)
  const away = await turn()
  expect(away).toMatchObject({ number: 4, holderId: ben.me.id })
  expect(away.seats.map(({ state }) => state)).toEqual(['away', 'ready'])
  clock.advance(21_000)
  expect(await turn()).toMatchObject({ number: 4, holderId: null, endsAt: null })
  const back = await ben.does(returnToTable, { params })
  expect(back).toMatchObject({ number: 5, holderId: ben.me.id })
  expect((await ana.does(returnToTable, { params })).seats.map(({ userId }) => userId)).toEqual([
    ben.me.id,
    ana.me.id,
  ])
})

test('an invited friend sits down when first seen [TURN-02]', async () => {
  const { person } = await startTestApp()
  const [ana, ben] = [await person(), await person()]
  await ana.does(addFriend, { input: { friendUserId: ben.me.id } })
  const invited = { isPublic: false, invitedFriends: [ben.me.id] }
  const { id } = await ana.does(createRoom, { input: aRoom({ turns: 'round', ...invited }) })
  const seatsFor = async (who: Client) =>
    (await who.does(getTurn, { params: { id } })).seats.map(({ userId }) => userId)
  expect(await seatsFor(ben)).toEqual([ana.me.id])
  await ben.does(takeSeat, { params: { id } })
  expect(await seatsFor(ana)).toEqual([ana.me.id, ben.me.id])
})

test('the 13th member waits in line [TURN-02]', async () => {
  const { people, person, params, turn } = await startTable(12)
  const late = await person()
  await late.does(joinRoom, { params })
  expect(await late.does(getTurn, { params })).toMatchObject({ waitingCount: 1, placeInLine: 1 })
  expect(await turn()).toMatchObject({ waitingCount: 1, placeInLine: null })
  expect((await turn()).seats).toHaveLength(12)
  expect(await late.does(takeSeat, { params })).toMatchObject({ waitingCount: 1, placeInLine: 1 })
  expect(await people[3]!.does(takeSeat, { params })).toMatchObject({ waitingCount: 1 })
})

test('the last turn is for the ready person with the fewest words, and its passage ends the room [TURN-12 TURN-19]', async () => {
  const { people, send, turn, clock, params, refuses, visitor, room } = await startTable(3, {
    duration: 15,
    turnSeconds: 240,
  })
  const [ana, ben, cleo] = people as [Client, Client, Client]
  await send(ana, 1, 'one')
  await send(ben, 2, 'one two')
  await send(cleo, 3, 'one two three')
  clock.set(new Date(Date.parse(room.expiresAt) - 470_000))
  const now = await turn()
  expect(now).toMatchObject({ isLast: true, holderId: ben.me.id, endsAt: room.expiresAt })
  expect((await send(ben, now.number, 'The end')).status).toBe(201)
  const ended = await visitor().does(getRoom, { params })
  expect(ended.isActive).toBe(false)
  expect(ended.expiresAt < room.expiresAt).toBe(true)
  expect(await refuses(() => send(cleo, now.number + 1))).toBe('403 RoomExpired')
  expect(await turn()).toMatchObject({ holderId: null, endsAt: null })
})

test('when the holder deletes the account the turn passes on, and the seat is gone [TURN-02 TURN-04 TURN-13]', async () => {
  const { people, send, turn, db } = await startTable(3)
  const [ana, ben, cleo] = people as [Client, Client, Client]
  await send(ana, 1)
  expect((await turn()).holderId).toBe(ben.me.id)
  await ben.does(deleteAccount)
  expect(await turn()).toMatchObject({
    number: 3,
    holderId: cleo.me.id,
    seats: [{ userId: ana.me.id }, { userId: cleo.me.id }],
  })
  await ana.does(deleteAccount)
  await cleo.does(deleteAccount)
  expect(await turn()).toMatchObject({ number: 3, holderId: null, seats: [] })
  const { rooms: stored, room_members: members } = await contentOf(db)
  expect([stored!.join().includes(cleo.me.id), members]).toEqual([false, []])
  expect(await db.$count(roomPassages)).toBe(1)
})

test('a name is shown at the table where the member signs with it [TURN-02]', async () => {
  const { person, visitor } = await startTestApp()
  const ana = await person({ firstName: 'Ana' })
  await ana.does(changeSettings, { input: { showName: true } })
  const { id } = await ana.does(createRoom, { input: aRoom({ turns: 'round' }) })
  const [seat] = (await visitor().does(getTurn, { params: { id } })).seats
  expect(seat!.name).toMatch(/^Ana/)
})

test('a person makes at most 120 calls at tables a minute [TURN-05]', async () => {
  const { person } = await startTestApp()
  const [ana, ben] = [await person(), await person()]
  await ana.does(blockPerson, { input: { userId: ben.me.id } })
  const { id } = await ana.does(createRoom, { input: aRoom({ turns: 'round' }) })
  const renew = () => ana.tries(renewLease, { params: { id }, input: { number: 1 } })
  for (let n = 0; n < 119; n++) expect((await renew()).status).toBe(200)
  const refused = await ana.tries(passTurn, { params: { id }, input: { number: 1, next: ben.me.id } })
  expect(refused).toMatchObject({ status: 403, code: 'NotNext' })
  expect(await renew()).toMatchObject({ status: 429, code: 'TooManyRequests' })
})

test('people who write, pass, sit down and delete their accounts at once get no failure, and one ready person has the turn [TURN-03 TURN-04]', async () => {
  const { people, params, turn, send, pass, visitor } = await startTable(8)
  const answers = await Promise.all(
    people.flatMap((who, n) => [
      send(who, n),
      send(who, n + 1),
      pass(who, n + 1),
      who.tries(returnToTable, { params }),
      ...(n % 2 === 0 ? [who.tries(deleteAccount)] : []),
    ]),
  )
  expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  const { holderId, seats } = await turn()
  const remaining = people.filter((_who, n) => n % 2 === 1).map(({ me }) => me.id)
  expect(seats.map(({ userId }) => userId).toSorted()).toEqual(remaining.toSorted())
  expect(remaining).toContain(holderId)
  const story = await visitor().does(listPassages, { params })
  expect(story.map(({ position }) => position)).toEqual(story.map((_passage, i) => i + 1))
})
