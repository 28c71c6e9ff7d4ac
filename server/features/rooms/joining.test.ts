import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createRoom, getRoomMembership, joinRoom, listRoomMembers } from '#contract/rooms/endpoints.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { roomMembers, rooms } from './schema.ts'

async function startWithRoom(more: Parameters<typeof aRoom>[0] = {}) {
  const t = await startTestApp({ config: { limitsRates: false } })
  const ana = await t.person()
  const room = await ana.does(createRoom, { input: aRoom(more) })
  return { ...t, ana, room, params: { id: room.id } }
}

const eventsOf = async (db: Db) =>
  (await db.select({ event: roomMembers.event }).from(roomMembers).orderBy(roomMembers.event)).map(
    ({ event }) => event,
  )

const missing = { id: '00000000-0000-7000-8000-000000000001' }

test('a person joins a public room, once [API-31 RLIST-34 S41]', async () => {
  const { person, db, room, params } = await startWithRoom()
  const [ben, eve] = [await person(), await person()]
  const joined = { ...room, memberCount: 2, isMember: true }
  expect(await ben.does(joinRoom, { params })).toEqual(joined)
  const before = await db.select().from(rooms)
  expect(await ben.does(joinRoom, { params })).toEqual(joined)
  expect(await db.select().from(rooms)).toEqual(before)
  expect((await eve.does(joinRoom, { params })).memberCount).toBe(3)
  expect(await eventsOf(db)).toEqual([0, 1, 2])
  expect(await db.select({ last: rooms.lastEvent }).from(rooms)).toEqual([{ last: 2 }])
})

test('each person reads their own membership of a room, and nobody without an account has one [API-28 PERM-20]', async () => {
  const { person, guest, visitor, admin, ana, params } = await startWithRoom()
  const other = await ana.does(createRoom, { input: aRoom() })
  const ben = await person()
  await ben.does(joinRoom, { params })
  const isMember = async (who: typeof ben, id = params.id) =>
    (await who.does(getRoomMembership, { params: { id } })).isMember
  expect([await isMember(ana), await isMember(ben), await isMember(ben, other.id)]).toEqual([
    true,
    true,
    false,
  ])
  expect([await isMember(visitor()), await isMember(await guest()), await isMember(await admin())]).toEqual([
    false,
    false,
    false,
  ])
  expect(await ben.tries(getRoomMembership, { params: missing })).toMatchObject({
    status: 404,
    code: 'RoomNotFound',
  })
})

test('nobody can join a private room without an invitation, not even an admin [ERR-18 PERM-18 S41]', async () => {
  const { person, admin, ana, db, params, clock } = await startWithRoom({ isPublic: false })
  for (const stranger of [await person(), await admin()]) {
    const refusal = {
      status: 403,
      code: 'PrivateRoom',
      error: 'This is a private room. You cannot join without an invitation.',
    }
    expect(await stranger.tries(joinRoom, { params })).toMatchObject(refusal)
    expect(await stranger.tries(joinRoom, { params: missing })).toMatchObject({
      status: 404,
      code: 'RoomNotFound',
    })
  }
  expect((await ana.does(joinRoom, { params })).isMember).toBe(true)
  clock.advance(31 * 60_000)
  expect(await (await person()).tries(joinRoom, { params })).toMatchObject({ code: 'PrivateRoom' })
  expect(await eventsOf(db)).toEqual([0])
})

test('after the end nobody can join, and a member gets the room as it is [RLIST-28 S42]', async () => {
  const { person, ana, db, params, clock } = await startWithRoom({ duration: 15 })
  const [ben, eve] = [await person(), await person()]
  clock.set('2025-06-10T12:14:30Z')
  await ben.does(joinRoom, { params })
  clock.set('2025-06-10T12:15:05Z')
  expect(await eve.tries(joinRoom, { params })).toMatchObject({ status: 403, code: 'RoomExpired' })
  for (const member of [ana, ben])
    expect(await member.does(joinRoom, { params })).toMatchObject({ isActive: false, memberCount: 2 })
  expect(await eventsOf(db)).toEqual([0, 1])
})

test('50 joins of one person at once are one membership and one event [R5 R6]', async () => {
  const { person, db, room, params } = await startWithRoom()
  const ben = await person()
  const answers = await Promise.all(Array.from({ length: 50 }, () => ben.tries(joinRoom, { params })))
  for (const { status, body } of answers)
    expect([status, body]).toEqual([200, { ...room, memberCount: 2, isMember: true }])
  expect(await eventsOf(db)).toEqual([0, 1])
})

test('simultaneous joinings are numbered without gaps, and a room has at most 200 members [S31 R5]', async () => {
  const { person, db, params } = await startWithRoom()
  await db.execute(sql`
    insert into users (id, username, created_at) select 'm' || lpad(n::text, 9, '0'), 'm' || n, app_now() from generate_series(1, 195) n`)
  await db.execute(sql`
    insert into room_members (room_id, user_id, joined_at) select ${params.id}, id, app_now() from users where id like 'm00%'`)
  const people = await Promise.all(Array.from({ length: 9 }, () => person()))
  const answers = await Promise.all(people.map((each) => each.tries(joinRoom, { params })))
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused).toHaveLength(5)
  for (const each of refused) expect(each).toMatchObject({ status: 403, code: 'RoomFull' })
  expect(await db.$count(roomMembers)).toBe(200)
  expect((await eventsOf(db)).filter((event) => event > 0)).toEqual([1, 2, 3, 4])
})

test('an admin sees who the members of any room are, in the order of their joining [API-33 RLIST-37 RLIST-38 RLIST-39 PERM-16]', async () => {
  const { person, admin, ana, db, params } = await startWithRoom({ isPublic: false })
  const [ben, boss] = [await person({ username: 'ben' }), await admin()]
  await db
    .insert(roomMembers)
    .values({ roomId: params.id, userId: ben.me.id, joinedAt: '2025-06-10T12:05:00.000Z', event: 1 })
  const member = ({ me: { id, username, email } }: typeof ben) => ({ id, username, email })
  expect(await boss.does(listRoomMembers, { params })).toEqual({
    members: [member(ana), member(ben)],
    messageCount: 0,
    contributorCount: 0,
  })
  expect(await boss.tries(listRoomMembers, { params: missing })).toMatchObject({
    status: 404,
    code: 'RoomNotFound',
  })
  const refused = await ben.tries(listRoomMembers, { params })
  expect([refused.status, JSON.stringify(refused.body).includes(ana.me.id)]).toEqual([403, false])
})

test('a former member can join again, and is counted once [R5 S4]', async () => {
  const { person, db, params, room } = await startWithRoom()
  const ben = await person()
  await ben.does(joinRoom, { params })
  await db.delete(roomMembers).where(eq(roomMembers.userId, ben.me.id))
  expect(await ben.does(getRoomMembership, { params })).toEqual({
    isMember: false,
    signsWithName: false,
    hasChosenSignature: false,
  })
  expect(await ben.does(joinRoom, { params })).toMatchObject({ memberCount: room.memberCount + 1 })
})
