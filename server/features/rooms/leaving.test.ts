import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deleteAccount } from '#contract/account/endpoints.ts'
import {
  createRoom,
  deleteFeedRoom,
  deleteRoom,
  getRoom,
  joinRoom,
  listFinishedRooms,
  listRoomMembers,
  listPassages,
  listRooms,
  sendPassage,
} from '#contract/rooms/endpoints.ts'
import { auditLog } from '#server/platform/schema.ts'
import { untilLockWaits } from '#server/testing/lock-waits.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { lockRoom, removeRoom } from './queries.ts'
import { roomMembers, roomPassages, rooms } from './schema.ts'

async function startWithStory(more: Parameters<typeof aRoom>[0] = {}) {
  const t = await startTestApp({ config: { limitsRates: false } })
  const [ana, ben] = [await t.person(), await t.person()]
  const room = await ana.does(createRoom, { input: aRoom(more) })
  const params = { id: room.id }
  const send = (who: Client, content: string) => who.tries(sendPassage, { params, input: { content } })
  await send(ana, 'one')
  const counts = () => Promise.all([rooms, roomMembers, roomPassages].map((table) => t.db.$count(table)))
  return { ...t, ana, ben, room, params, send, counts }
}

test.each([
  ['the list', deleteRoom],
  ['the room', deleteFeedRoom],
] as const)(
  'an admin deletes a room from %s with its members and passages, also a private one, and the audit log names the admin [API-34 API-35 PERM-15 RLIST-07 RVIEW-17 S41 S49]',
  async (_where, call) => {
    const { admin, ana, db, params, counts } = await startWithStory({ isPublic: false })
    const other = await ana.does(createRoom, { input: aRoom() })
    const boss = await admin()
    expect(await boss.does(call, { params })).toEqual({ ok: true })
    expect(await counts()).toEqual([1, 1, 0])
    for (const gone of [getRoom, listPassages] as const)
      expect(await ana.tries(gone, { params })).toMatchObject({ status: 404, code: 'RoomNotFound' })
    expect((await ana.does(listRooms)).map(({ id }) => id)).toEqual([other.id])
    const audited = await db.select().from(auditLog).where(eq(auditLog.action, 'room-deletion'))
    expect(audited).toMatchObject([{ actorId: boss.me.id, subjectId: params.id }])
    expect(JSON.stringify(audited)).not.toContain('long night')
    expect(await boss.tries(call, { params })).toMatchObject({ status: 404, code: 'RoomNotFound' })
    expect(await db.$count(auditLog, eq(auditLog.action, 'room-deletion'))).toBe(1)
  },
)

test('nobody but an admin can delete a room, not even its creator [PERM-15 S41]', async () => {
  const { ana, ben, visitor, guest, params, counts } = await startWithStory()
  for (const call of [deleteRoom, deleteFeedRoom])
    for (const [who, status] of [
      [ana, 403],
      [ben, 403],
      [visitor(), 401],
      [await guest(), 403],
    ] as const)
      expect((await who.tries(call, { params })).status).toBe(status)
  expect(await counts()).toEqual([1, 1, 1])
})

test('rooms and passages of a deleted account stay without a name, and its memberships are deleted [S15 R5]', async () => {
  const { admin, ana, ben, visitor, clock, params, send, counts } = await startWithStory()
  await ben.does(joinRoom, { params })
  await send(ben, 'two')
  await ana.does(deleteAccount)
  expect(await visitor().does(getRoom, { params })).toMatchObject({
    createdByUserId: null,
    memberCount: 1,
    isActive: true,
  })
  expect(await visitor().does(listPassages, { params })).toMatchObject([
    { content: 'one', userId: null, authorName: null, position: 1 },
    { content: 'two', userId: ben.me.id, position: 2 },
  ])
  expect(await (await admin()).does(listRoomMembers, { params })).toMatchObject({
    members: [{ id: ben.me.id }],
    messageCount: 2,
    contributorCount: 2,
  })
  expect(await counts()).toEqual([1, 1, 2])
  expect((await send(ben, 'three')).status).toBe(201)
  clock.advance(31 * 60_000)
  expect(await visitor().does(listFinishedRooms)).toMatchObject([
    { id: params.id, createdByUserId: null, lineCount: 3 },
  ])
})

test('a person can delete their account while their room is being deleted [R5 R6]', async () => {
  const { ana, db, params, counts } = await startWithStory()
  let leaving: Promise<{ status: number }> | undefined
  await db.transaction(async (tx) => {
    await lockRoom(tx, params.id)
    leaving = ana.tries(deleteAccount)
    await untilLockWaits(db)
    await removeRoom(tx, params.id)
  })
  expect((await leaving!).status).toBe(200)
  expect(await counts()).toEqual([0, 0, 0])
})

test('a person can delete their account while they write and create rooms and an admin deletes one, and nothing of them stays [S15 R5 R6]', async () => {
  const { admin, ana, ben, db, params, send } = await startWithStory()
  await ben.does(joinRoom, { params })
  const boss = await admin()
  for (let round = 0; round < 5; round++) {
    const own = await ana.does(createRoom, { input: aRoom() })
    await ben.does(joinRoom, { params: { id: own.id } })
  }
  const newest = (await ana.does(listRooms))[0]!.id
  const answers = await Promise.all([
    ...Array.from({ length: 10 }, (_, n) => send(n % 2 ? ana : ben, `Before ${n}`)),
    ana.tries(createRoom, { input: aRoom() }),
    boss.tries(deleteRoom, { params: { id: newest } }),
    ana.tries(deleteAccount),
    ...Array.from({ length: 10 }, (_, n) => send(n % 2 ? ana : ben, `Later ${n}`)),
  ])
  for (const { status } of answers) expect([200, 201, 401, 403]).toContain(status)
  expect(answers[11]!.status).toBe(200)
  expect(answers[12]!.status).toBe(200)
  expect(await db.$count(roomMembers, eq(roomMembers.userId, ana.me.id))).toBe(0)
  const ofAna = sql`${roomPassages.userId} = ${ana.me.id}`
  expect(await db.$count(roomPassages, ofAna)).toBe(0)
  expect(await db.$count(rooms, sql`${rooms.createdByUserId} = ${ana.me.id}`)).toBe(0)
  const passages = await db
    .select({ position: roomPassages.position })
    .from(roomPassages)
    .where(eq(roomPassages.roomId, params.id))
    .orderBy(roomPassages.position)
  expect(passages.map(({ position }) => position)).toEqual(passages.map((_, n) => n + 1))
})
