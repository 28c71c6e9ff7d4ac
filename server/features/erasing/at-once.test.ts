import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { closeAbuseReport, listAbuseReports, reportAbuse } from '#contract/abuse-reports/endpoints.ts'
import { deleteAccount } from '#contract/account/endpoints.ts'
import { erasePassage, erasePost } from '#contract/erasing/endpoints.ts'
import { approvePost } from '#contract/feed/endpoints.ts'
import {
  changePost,
  type EditablePost,
  getOwnPost,
  restorePost,
  takeBackPost,
} from '#contract/feed/own/endpoints.ts'
import { changePostVisibility } from '#contract/feed/review/endpoints.ts'
import { addFriend } from '#contract/friends/endpoints.ts'
import { createRoom, deleteRoom, joinRoom, listPassages, sendPassage } from '#contract/rooms/endpoints.ts'
import { erasedMark } from '#contract/rooms/room.ts'
import { restore } from '#server/features/feed/taken-back.ts'
import { hide, show, startReview } from '#server/testing/reviewing.ts'
import { untilLockWaits } from '#server/testing/lock-waits.ts'
import { aRoom } from '#server/testing/rooms.ts'
import type { Answer } from '#server/testing/test-app.ts'
import { canary, placesOfCanary } from '#server/testing/canary.ts'

const callsAtOnce = 50
const atOnce = <T>(work: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: callsAtOnce }, (_, n) => work(n)))
const statusesOf = (answers: (Answer | undefined)[]) => answers.map((answer) => answer?.status)

test('fifty erasures of one post by two admins at once erase, log and notify once, and answer alike [INST-13 R6]', async () => {
  const { db, boss, chief, publish } = await startReview()
  const id = await publish('A letter')
  const answers = await atOnce((n) => (n % 2 ? boss : chief).tries(erasePost, { params: { id } }))
  expect(new Set(statusesOf(answers))).toEqual(new Set([200]))
  expect(await db.$count(sql`audit_log where action = 'post-erased'`)).toBe(1)
  expect(await db.$count(sql`inbox_events where name = 'post.erased'`)).toBe(1)
})

test('admins erase a post while its author edits, takes back and restores it, and others decide about it and report it: no call fails, and no text is left [INST-13 R6]', async () => {
  const { db, config, ana, boss, chief, person, publish, queue } = await startReview()
  const id = await publish(`${canary} 0`)
  const params = { id }
  const reader = await person()
  const edit = async (n: number) => {
    const current = await ana.tries(getOwnPost, { params })
    if (current.status !== 200) return current
    const { updatedAt: base } = current.body as EditablePost
    return ana.tries(changePost, { params, input: { content: `${canary} ${n}`, base } })
  }
  const approve = async () => {
    const [waiting] = await queue()
    return waiting === undefined ? undefined : chief.tries(approvePost, { params: { id: waiting } })
  }
  const report = { kind: 'post', targetId: id, reason: 'Unkind.' } as const
  const works = [
    edit,
    approve,
    () => ana.tries(takeBackPost, { params }),
    () => reader.tries(reportAbuse, { input: report }),
    () => ana.tries(restorePost, { params }),
    edit,
    () => chief.tries(changePostVisibility, hide(id)),
    () => chief.tries(changePostVisibility, show(id)),
    (n: number) => (n > 15 ? boss.tries(erasePost, { params }) : edit(n)),
  ]
  const answers = await atOnce((n) => works[(n * 7) % works.length]!(n))
  for (const status of new Set(statusesOf(answers)))
    expect([undefined, 200, 201, 400, 404, 409]).toContain(status)
  // The last erasure may have come between taking back and restoring; it never misses the post.
  expect(await db.$count(sql`audit_log where action = 'post-erased'`)).toBe(1)
  expect(await placesOfCanary(db, config.dataDir)).toEqual([])
})

test('an erasure that begins while the author restores the post waits for it, and finds the post [INST-13]', async () => {
  const { db, config, ana, boss, publish } = await startReview()
  const id = await publish(canary)
  await ana.does(takeBackPost, { params: { id } })
  const [inBoth, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { timeZone } = config
  const restoring = db.transaction((tx) =>
    restore(tx, { id, authorId: ana.me.id, timeZone }, async () => {
      inBoth.resolve()
      await end.promise
    }),
  )
  await inBoth.promise
  const erasing = boss.tries(erasePost, { params: { id } })
  await untilLockWaits(db)
  end.resolve()
  await restoring
  expect(await erasing).toMatchObject({ status: 200 })
  expect(await placesOfCanary(db, config.dataDir)).toEqual([])
})

test('a report that is made while the post is erased keeps no copy of it [INST-13]', async () => {
  const { db, config, boss, person, publish } = await startReview()
  const id = await publish(canary)
  const reader = await person()
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const { promise: isLocked, resolve: noteLocked } = Promise.withResolvers<void>()
  const holding = db.transaction(async (tx) => {
    await tx.execute(sql`select 1 from posts where id = ${id} for update`)
    noteLocked()
    await held
  })
  await isLocked
  const erasing = boss.tries(erasePost, { params: { id } })
  await untilLockWaits(db)
  const reporting = reader.tries(reportAbuse, { input: { kind: 'post', targetId: id, reason: 'Unkind.' } })
  await untilLockWaits(db, 2)
  release()
  await holding
  expect(await erasing).toMatchObject({ status: 200 })
  expect(await reporting).toMatchObject({ code: 'NothingToReport' })
  expect(await placesOfCanary(db, config.dataDir)).toEqual([])
})

test('admins erase posts while their authors and reporters, who are friends, delete their accounts and reports are closed: nothing deadlocks [INST-13 R6]', async () => {
  const { db, config, boss, chief, person, publish } = await startReview()
  const people = await Promise.all(Array.from({ length: 6 }, () => person()))
  const ids: string[] = []
  for (const [n, author] of people.entries()) {
    for (const friend of people.slice(n + 1))
      await author.does(addFriend, { input: { friendUserId: friend.me.id } })
    ids.push(await publish(`${canary} ${n}`, author))
  }
  for (const [n, reporter] of people.entries())
    for (const [of, targetId] of ids.entries())
      if (of !== n)
        await reporter.does(reportAbuse, { input: { kind: 'post', targetId, reason: `Unkind ${n}.` } })
  const reports = await chief.does(listAbuseReports)
  const answers = await Promise.all([
    ...ids.map((id) => boss.tries(erasePost, { params: { id } })),
    ...people.slice(0, 3).map((leaving) => leaving.tries(deleteAccount)),
    ...reports
      .slice(0, 20)
      .map(({ id }) =>
        chief.tries(closeAbuseReport, { params: { id }, input: { outcome: 'kept', note: '' } }),
      ),
    ...ids.map((id) => chief.tries(erasePost, { params: { id } })),
  ])
  for (const status of new Set(statusesOf(answers))) expect([200, 404]).toContain(status)
  expect(await db.$count(sql`audit_log where action = 'post-erased'`)).toBe(ids.length)
  expect(await placesOfCanary(db, config.dataDir)).toEqual([])
})

test('an admin erases a passage fifty times at once, while people write and leave: one erasure succeeds, and positions have no gap [INST-13 R6 R9]', async () => {
  const { db, config, ana, boss, chief, person, visitor } = await startReview()
  const { id } = await ana.does(createRoom, { input: aRoom() })
  const leaving = await person()
  await leaving.does(joinRoom, { params: { id } })
  const send = (content: string) => ana.tries(sendPassage, { params: { id }, input: { content } })
  const { id: passageId } = await leaving.does(sendPassage, { params: { id }, input: { content: canary } })
  const answers = await atOnce((n) =>
    n === 20
      ? leaving.tries(deleteAccount)
      : n % 5 === 0
        ? send(`text ${n}`)
        : (n % 2 ? boss : chief).tries(erasePassage, { params: { id, passageId } }),
  )
  const written = 9
  expect(
    statusesOf(answers)
      .filter((status) => status !== 404)
      .toSorted(),
  ).toEqual([200, 200, ...Array.from({ length: written }, () => 201)])
  const passages = await visitor().does(listPassages, { params: { id } })
  expect(passages.map(({ position }) => position)).toEqual(
    Array.from({ length: written + 1 }, (_, n) => n + 1),
  )
  expect(passages[0]!.content).toBe(erasedMark)
  const { rows } = await db.execute<{ event: number }>(sql`
    select event from room_messages union all select erasing_event from room_messages where erasing_event is not null
    union all select event from room_members where event > 0 order by 1`)
  // The joining of the person who left has no row any more.
  expect(rows.map(({ event }) => event)).toEqual(Array.from({ length: written + 2 }, (_, n) => n + 2))
  expect(await placesOfCanary(db, config.dataDir)).toEqual([])
})

test('a room is deleted while its passages are erased: each call succeeds or finds nothing [INST-13 R6]', async () => {
  const { db, ana, boss, chief } = await startReview()
  const { id } = await ana.does(createRoom, { input: aRoom() })
  const ids: string[] = []
  for (let n = 0; n < 20; n++)
    ids.push((await ana.does(sendPassage, { params: { id }, input: { content: `${n}` } })).id)
  const answers = await Promise.all([
    ...ids.map((passageId) => boss.tries(erasePassage, { params: { id, passageId } })),
    chief.tries(deleteRoom, { params: { id } }),
  ])
  for (const status of new Set(statusesOf(answers))) expect([200, 404]).toContain(status)
  expect(await db.$count(sql`room_messages`)).toBe(0)
})
