import { sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { deleteAccount, login } from '#contract/account/endpoints.ts'
import {
  changeRoomMembership,
  createRoom,
  deleteRoom,
  joinRoom,
  listFinishedRooms,
  listRoomMembers,
  listRooms,
  sendPassage,
} from '#contract/rooms/endpoints.ts'
import { untilLockWaits } from '#server/testing/lock-waits.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { startTestApp } from '#server/testing/test-app.ts'

import { countFinishedRooms, countRoomsThatEnded, listFinishedRooms as finishedRooms } from './queries.ts'
import { leaveRooms } from './leaving.ts'
import { rooms } from './schema.ts'

const minuteMs = 60_000

/** Three people write a passage each in a room that ends after half an hour. */
async function startWithStory() {
  const t = await startTestApp({ config: { limitsRates: false } })
  const people = [await t.person(), await t.person(), await t.person()] as const
  const [ana, ...others] = people
  const { id } = await ana.does(createRoom, { input: aRoom() })
  for (const who of others) await who.does(joinRoom, { params: { id } })
  for (const who of people) await who.does(sendPassage, { params: { id }, input: { content: 'A passage' } })
  /** Ends the room, and signs the people in again: the deletion of an account needs a new session. */
  const end = async () => {
    t.clock.advance(31 * minuteMs)
    for (const who of people)
      await who.does(login, { input: { email: who.me.email!, password: 'secret pass 1' } })
  }
  const shelf = async () => {
    const [story] = await finishedRooms(t.db, null, { words: [], limit: 1 })
    return [story!.memberCount, story!.contributorCount, story!.lineCount]
  }
  const stored = async () => {
    const [room] = await t.db.select().from(rooms)
    return [room!.countedMembers, room!.countedContributors, room!.countedEvent === room!.lastEvent]
  }
  return { ...t, id, people, end, shelf, stored }
}

test('the list shows counted stories without reading their passages or members [R16]', async () => {
  const { db, clock, people, shelf, stored } = await startWithStory()
  expect(await countFinishedRooms(db, 20)).toBe(0)
  clock.advance(31 * minuteMs)
  expect(await shelf()).toEqual([3, 3, 3])
  expect(await countFinishedRooms(db, 20)).toBe(1)
  expect(await countFinishedRooms(db, 20)).toBe(0)
  expect(await stored()).toEqual([3, 3, true])
  expect(await shelf()).toEqual([3, 3, 3])
  const query = finishedRooms(db, people[0].me.id, { words: [], limit: 1001 })
  const { rows } = await db.execute<{ 'QUERY PLAN': string }>(
    sql`explain (analyze, costs off, timing off) ${query.getSQL()}`,
  )
  const plan = rows.map((row) => row['QUERY PLAN'])
  const ofPassages = plan.filter((line) => line.includes('on room_messages'))
  expect(ofPassages.length).toBeGreaterThan(0)
  for (const line of ofPassages) expect(line).toContain('never executed')
  expect(plan.filter((line) => /aggregate/i.test(line) && !line.includes('never executed'))).toEqual([])
})

test('every ended room is counted, and an open room is not [R16]', async () => {
  const { db, clock, people } = await startWithStory()
  await db.execute(sql`
    insert into rooms (id, name, description, is_public, duration, created_at, expires_at, created_by_user_id)
    select gen_random_uuid(), 'Story', 'd', true, 30, app_now() - interval '2 hours', app_now() - interval '1 hour', null
    from generate_series(1, 50)`)
  const open = await people[0].does(createRoom, { input: aRoom({ duration: 60 }) })
  clock.advance(31 * minuteMs)
  await countRoomsThatEnded(db, new AbortController().signal)
  const uncounted = await db
    .select({ id: rooms.id })
    .from(rooms)
    .where(sql`counted_event is null`)
  expect(uncounted).toEqual([{ id: open.id }])
})

test('after an account is deleted, a story shows the remaining members and contributors, counted before or not [S15 R16]', async () => {
  const { db, end, people, shelf, stored, id, admin } = await startWithStory()
  await end()
  await countFinishedRooms(db, 20)
  const boss = await admin()
  // All deleted accounts together count as one contributor.
  for (const [leaving, left] of [
    [people[1], [2, 3, 3]],
    [people[2], [1, 2, 3]],
    [people[0], [0, 1, 3]],
  ] as const) {
    await leaving.does(deleteAccount)
    expect(await shelf()).toEqual(left)
    // Work that follows the deletion may hold the room at this moment, which is then skipped.
    await vi.waitFor(async () => expect(await countFinishedRooms(db, 20)).toBe(1))
    expect(await stored()).toEqual([left[0], left[1], true])
    expect(await shelf()).toEqual(left)
    expect(await boss.does(listRoomMembers, { params: { id } })).toMatchObject({
      messageCount: 3,
      contributorCount: left[1],
    })
  }
})

test('a story is counted again when an account is deleted during the count, in either order [S15 R16]', async () => {
  const { db, end, people, shelf, stored } = await startWithStory()
  await end()
  // The deletion locks the room first: the count skips the room until the next time.
  await db.transaction(async (tx) => {
    await leaveRooms(tx, people[1].me.id)
    expect(await countFinishedRooms(db, 20)).toBe(0)
    await tx.execute(sql`delete from users where id = ${people[1].me.id}`)
  })
  expect(await countFinishedRooms(db, 20)).toBe(1)
  expect(await stored()).toEqual([2, 3, true])

  // The count locks the room first, and waits for its passages when the next account is deleted.
  await db.execute(sql`update rooms set counted_event = null`)
  const reading = await db.transaction(async (tx) => {
    await tx.execute(sql`lock table room_messages in access exclusive mode`)
    const counting = countFinishedRooms(db, 20)
    await untilLockWaits(db)
    const leaving = people[2].does(deleteAccount)
    await untilLockWaits(db, 2)
    return { counting, leaving }
  })
  await Promise.all([reading.counting, reading.leaving])
  expect(await shelf()).toEqual([1, 2, 3])
  await countFinishedRooms(db, 20)
  expect(await stored()).toEqual([1, 2, true])
})

test('a passage that is written after the count, because the clock went back, is counted too [R20]', async () => {
  const { db, clock, people, shelf, id } = await startWithStory()
  clock.advance(31 * minuteMs)
  await countFinishedRooms(db, 20)
  clock.advance(-20 * minuteMs)
  const late = await startLate()
  expect((await people[0].does(listRooms)).map(({ memberCount }) => memberCount)).toEqual([4])
  clock.advance(20 * minuteMs)
  expect(late).toBe(4)
  expect(await shelf()).toEqual([4, 3, 4])

  async function startLate() {
    const [room] = await db.select({ lastEvent: rooms.lastEvent }).from(rooms)
    await people[0].does(sendPassage, { params: { id }, input: { content: 'A late passage' } })
    await db.execute(
      sql`insert into users (id, username, created_at) values ('late000000', 'late', app_now())`,
    )
    await db.execute(sql`
      with room as (update rooms set last_event = last_event + 1 where id = ${id} returning id, last_event)
      insert into room_members (room_id, user_id, joined_at, event) select id, 'late000000', app_now(), last_event from room`)
    return room!.lastEvent - 1
  }
})

test('a member who signs differently after the count, because the clock went back, leaves the counts current [R16 R20]', async () => {
  const { db, clock, people, stored, id } = await startWithStory()
  const sign = (signsWithName: boolean) =>
    people[1].does(changeRoomMembership, { params: { id }, input: { signsWithName } })
  await sign(true)
  clock.advance(31 * minuteMs)
  await countFinishedRooms(db, 20)
  await sign(false)
  expect(await stored()).toEqual([3, 3, true])
  clock.advance(-20 * minuteMs)
  await sign(true)
  expect(await db.select({ lastEvent: rooms.lastEvent }).from(rooms)).toEqual([{ lastEvent: 7 }])
  expect(await stored()).toEqual([3, 3, true])
})

test('several members of the same stories delete their accounts at once while an admin deletes a story, and all succeed [S15]', async () => {
  const { db, end, people, admin, id } = await startWithStory()
  for (let n = 0; n < 8; n++) {
    const room = await people[n % 3]!.does(createRoom, { input: aRoom() })
    for (const who of people) await who.tries(joinRoom, { params: { id: room.id } })
  }
  await end()
  await countRoomsThatEnded(db, new AbortController().signal)
  const boss = await admin()
  const answers = await Promise.all([
    ...people.map((who) => who.tries(deleteAccount)),
    boss.tries(deleteRoom, { params: { id } }),
    countRoomsThatEnded(db, new AbortController().signal).then(() => ({ status: 200 })),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  const left = await boss.does(listFinishedRooms)
  expect(left.map(({ memberCount }) => memberCount)).toEqual(Array(8).fill(0))
})
