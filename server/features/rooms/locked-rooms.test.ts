import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { createRoom, joinRoom, sendPassage } from '#contract/rooms/endpoints.ts'
import { DomainEvents } from '#server/domain-events.ts'
import { openVault } from '#server/features/day-texts/index.ts'
import { testClock } from '#server/platform/clock.ts'
import { openDatabase } from '#server/platform/database/pool.ts'
import { isTimeOut } from '#server/platform/database/unavailable.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { holdLocks } from '#server/testing/lock-waits.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { signStories } from './credit/signing-job.ts'
import { createTurnClock } from './table/turn-clock.ts'
import { sendDueReminders } from './table/turn-reminders.ts'

const never = new AbortController().signal

/** An app, and another process with a clock of its own. The app itself finds nothing that is due. */
async function startProcess() {
  const t = await startTestApp({ config: { limitsRates: false } })
  const clock = testClock('2025-06-10T12:00:00Z')
  const database = openDatabase({ connection: t.connection, clock, statementTimeoutMs: 500 })
  onTestFinished(() => database.close())
  const [ana, ben] = [await t.person(), await t.person()]
  const makeRoom = async (more: Parameters<typeof aRoom>[0]) => {
    const { id } = await ana.does(createRoom, { input: aRoom(more) })
    await ben.does(joinRoom, { params: { id } })
    return id
  }
  return { ...t, ana, ben, makeRoom, own: { clock, database } }
}

test('a table that a suspended process has locked does not keep the turns of other tables from passing on [TURN-14]', async () => {
  const { makeRoom, db, own } = await startProcess()
  const [locked, other] = [await makeRoom({ turns: 'round' }), await makeRoom({ turns: 'round' })]
  const turnClock = createTurnClock({ ...own, notifier: { turned: () => {} } })
  own.clock.advance(30_000)
  const release = await holdLocks(db, sql`select 1 from room_members where room_id = ${locked} for update`)
  await expect(turnClock.sweep(never)).rejects.toSatisfy(isTimeOut)
  await release()
  const { rows } = await db.execute(sql`select id, turn from rooms order by turn`)
  expect(rows).toEqual([
    { id: locked, turn: 1 },
    { id: other, turn: 2 },
  ])
})

test('a holder whose account is locked does not keep the holders of other slow tables from their reminders [TURN-21]', async () => {
  const { makeRoom, ana, ben, db, own } = await startProcess()
  const slow = { turns: 'round', turnSeconds: 43_200, duration: 4320 } as const
  const rooms = [await makeRoom(slow), await makeRoom(slow)]
  for (const [i, holder] of [ana, ben].entries())
    await db.execute(sql`
      update rooms set turn_holder = ${holder.me.id}, turn_remind_at = turn_began_at + interval '1 hour' + ${i} * interval '1 second'
      where id = ${rooms[i]}`)
  const release = await holdLocks(db, sql`select 1 from users where id = ${ana.me.id} for update`)
  own.clock.advance(2 * 60 * 60_000)
  const reminding = sendDueReminders({ ...own, events: new DomainEvents() }, never)
  await expect(reminding).rejects.toSatisfy(isTimeOut)
  await release()
  // The app itself has told Ana, who held both turns at first.
  const { rows } = await db.execute(sql`
    select ids ->> 'roomId' as id from inbox_events where name = 'turn.reminder' and user_id = ${ben.me.id}`)
  expect(rows).toEqual([{ id: rooms[1] }])
})

test('a room that a suspended process has locked does not keep other stories from their seals [CRED-02]', async () => {
  const { makeRoom, ana, db, config, own } = await startProcess()
  const rooms = [await makeRoom({ duration: 15 }), await makeRoom({ duration: 15 })]
  for (const id of rooms) await ana.does(sendPassage, { params: { id }, input: { content: 'A line' } })
  const release = await holdLocks(db, sql`select 1 from rooms where id = ${rooms[0]} for update`)
  own.clock.advance(16 * 60_000)
  const vault = await openVault({ database: db, random: systemRandom, config })
  const signing = signStories({ ...own, config, vault, notifier: { head: () => {} } }, never)
  await expect(signing).rejects.toSatisfy(isTimeOut)
  await release()
  const { rows } = await db.execute(sql`select room_id from room_chains where seal is not null`)
  expect(rows).toEqual([{ room_id: rooms[1] }])
})

test('with more rooms than a process signs at once, each room gets its turn [CRED-01]', async () => {
  const { makeRoom, ana, db, config, own } = await startProcess()
  const id = await makeRoom({})
  const signedIn = (minutes: number) => sql`signed_at = app_now() + ${minutes} * interval '1 minute'`
  await db.execute(sql`
    with room as (
      insert into rooms (id, name, description, is_public, duration, created_at, expires_at, last_position)
      select gen_random_uuid(), 'Z', '', true, 30, app_now(), app_now() + interval '20 minutes', 1
      from generate_series(1, 100) returning id)
    insert into room_chains (room_id, signed_at) select id, app_now() from room`)
  await db.execute(sql`update room_chains set ${signedIn(6)} where room_id <> ${id}`)
  await db.execute(sql`update room_chains set ${signedIn(5)} where room_id = ${id}`)
  await ana.does(sendPassage, { params: { id }, input: { content: 'A line' } })
  own.clock.advance(10 * 60_000)
  const vault = await openVault({ database: db, random: systemRandom, config })
  const signed: string[] = []
  const notifier = { head: ({ roomId }: { roomId: string }) => void signed.push(roomId) }
  await signStories({ ...own, config, vault, notifier }, never)
  expect(signed[0]).toBe(id)
})
