import { expect, test } from 'vitest'
import { createRoom, deleteRoom, joinRoom, listPassages, sendPassage } from '#contract/rooms/endpoints.ts'
import type { RoomPassage } from '#contract/rooms/room.ts'
import { testClock } from '#server/platform/clock.ts'
import { contentOf } from '#server/testing/content.ts'
import { untilLockWaits } from '#server/testing/lock-waits.ts'
import { aRoom, asRead } from '#server/testing/rooms.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { addPassage } from './passages.ts'
import { waitForLastPassages } from './queries.ts'
import { roomMembers, roomPassages, rooms } from './schema.ts'

const minuteMs = 60_000

async function startWithWriters(count: number, clock = testClock('2025-06-10T12:00:00Z')) {
  const t = await startTestApp({ clock, config: { limitsRates: false } })
  const writers = await Promise.all(Array.from({ length: count }, () => t.person()))
  const room = await writers[0]!.does(createRoom, { input: aRoom({ duration: 15 }) })
  const params = { id: room.id }
  await Promise.all(writers.map((writer) => writer.does(joinRoom, { params })))
  const send = (who: Client, content: string, headers: Record<string, string> = {}) =>
    who.tries(sendPassage, { params, input: { content }, headers })
  const waitsForLock = () => untilLockWaits(t.db)
  return { ...t, writers, room, params, send, waitsForLock }
}

test('20 people who write at once get the positions 1, 2, 3 … without a gap, and everybody reads the same order [R5 R9]', async () => {
  const { writers, params, send, visitor, db } = await startWithWriters(20)
  const answers = await Promise.all(
    writers.flatMap((writer, who) => Array.from({ length: 10 }, (_, n) => send(writer, `${who} ${n}`))),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  const sent = answers
    .map(({ body }) => asRead(body as RoomPassage))
    .toSorted((a, b) => a.position - b.position)
  expect(sent.map(({ position }) => position)).toEqual(Array.from({ length: 200 }, (_, n) => n + 1))
  const story = await visitor().does(listPassages, { params })
  expect(story).toEqual(sent)
  const times = story.map(({ createdAt }) => createdAt)
  expect(times).toEqual(times.toSorted())
  // The first 19 events are joinings.
  const events = await db
    .select({ event: roomPassages.event })
    .from(roomPassages)
    .orderBy(roomPassages.position)
  expect(events.map(({ event }) => event)).toEqual(Array.from({ length: 200 }, (_, n) => n + 20))
})

test('50 equal passages with one key are stored once, and the text is not stored with the key [R6 R7 S44]', async () => {
  const { writers, send, db } = await startWithWriters(1)
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => send(writers[0]!, 'Once upon a time', { 'idempotency-key': 'k1' })),
  )
  const [first] = answers
  for (const { status, body } of answers) expect([status, body]).toEqual([201, first!.body])
  expect(first!.body).toMatchObject({ content: 'Once upon a time', position: 1 })
  expect(await db.$count(roomPassages)).toBe(1)
  const { idempotency_keys: keys } = await contentOf(db)
  expect(keys).toHaveLength(1)
  expect(keys![0]).not.toContain('Once upon')
  const other = await send(writers[0]!, 'Something else', { 'idempotency-key': 'k1' })
  expect(other).toMatchObject({ status: 400, code: 'IdempotencyKeyReused' })
  expect(await db.$count(roomPassages)).toBe(1)
})

test('each passage sent at the moment of the end is either in the story or refused [S42 R5]', async () => {
  const { writers, room, params, send, visitor, clock } = await startWithWriters(8)
  clock.set(new Date(Date.parse(room.expiresAt) - 500))
  const kept: RoomPassage[] = []
  const refusals: unknown[] = []
  const readAfterwards: RoomPassage[][] = []
  await Promise.all(
    writers.map(async (writer, who) => {
      for (let n = 0; ; n++) {
        const answer = await send(writer, `${who} ${n}`)
        if (answer.status !== 201) {
          refusals.push([answer.status, answer.code])
          // From the first refusal on the story is final.
          readAfterwards.push(await visitor().does(listPassages, { params, query: { limit: '500' } }))
          return
        }
        kept.push(asRead(answer.body as RoomPassage))
      }
    }),
  )
  kept.sort((a, b) => a.position - b.position)
  expect(kept.length).toBeGreaterThan(0)
  expect(kept.map(({ position }) => position)).toEqual(kept.map((_, n) => n + 1))
  expect(kept.every(({ createdAt }) => createdAt < room.expiresAt)).toBe(true)
  expect(refusals).toEqual(Array.from({ length: 8 }, () => [403, 'RoomExpired']))
  for (const story of readAfterwards) expect(story).toEqual(kept.slice(-500))
})

test.each([
  ['a reader of the story just after its end', 0],
  ['a reader at a process whose clock is ahead of the database', 5 * minuteMs],
])('%s waits for a passage that is not committed yet [S42 R1 R20]', async (_who, ahead) => {
  const clock = testClock('2025-06-10T12:00:00Z')
  const ofProcess = Object.assign(Object.create(clock) as typeof clock, {
    now: () => new Date(clock.now().getTime() + ahead),
  })
  const { writers, room, params, db, visitor, waitsForLock } = await startWithWriters(1, ofProcess)
  clock.set(new Date(Date.parse(room.expiresAt) - 2 * minuteMs))
  let reading: Promise<RoomPassage[]> | undefined
  await db.transaction(async (tx) => {
    const id = '00000000-0000-7000-8000-000000000001'
    const passage = { id, roomId: room.id, content: 'The last one', salt: Buffer.alloc(16) }
    await addPassage(tx, { ...passage, userId: writers[0]!.me.id })
    clock.advance(2 * minuteMs + 1000)
    reading = visitor().does(listPassages, { params })
    await waitsForLock()
  })
  expect((await reading!).map(({ content }) => content)).toEqual(['The last one'])
})

test('a passage that waits for the lock of a reader until after the end is refused [S42]', async () => {
  const { writers, room, db, send, clock, waitsForLock } = await startWithWriters(1)
  // The clock of a connection cannot be set while it waits, so this test waits for the real time.
  clock.set(new Date(Date.parse(room.expiresAt) - 1500))
  let sending: ReturnType<typeof send> | undefined
  await db.transaction(async (tx) => {
    await waitForLastPassages(tx, room.id)
    sending = send(writers[0]!, 'Too late')
    await waitsForLock()
    await expect.poll(() => clock.now().toISOString() > room.expiresAt).toBe(true)
  })
  expect(await sending!).toMatchObject({ status: 403, code: 'RoomExpired' })
  expect(await db.$count(roomPassages)).toBe(0)
  expect(await db.select({ last: rooms.lastPosition }).from(rooms)).toEqual([{ last: 0 }])
})

test('nothing is left of a room that is deleted while people write and join [R5 R6]', async () => {
  const { writers, params, send, db, admin, person } = await startWithWriters(8)
  const boss = await admin()
  const late = await Promise.all(Array.from({ length: 4 }, () => person()))
  const writing = writers.map(async (writer) => {
    for (;;) {
      const answer = await send(writer, 'On and on')
      if (answer.status !== 201) return answer
    }
  })
  await expect.poll(() => db.$count(roomPassages)).toBeGreaterThan(20)
  const joining = late.map((each) => each.tries(joinRoom, { params }))
  const [deletion, second] = await Promise.all([1, 2].map(() => boss.tries(deleteRoom, { params })))
  expect([deletion!.status, second!.status].toSorted()).toEqual([200, 404])
  for (const answer of await Promise.all(writing))
    expect(answer).toMatchObject({ status: 404, code: 'RoomNotFound' })
  for (const { status } of await Promise.all(joining)) expect([200, 404]).toContain(status)
  expect([await db.$count(rooms), await db.$count(roomMembers), await db.$count(roomPassages)]).toEqual([
    0, 0, 0,
  ])
})
