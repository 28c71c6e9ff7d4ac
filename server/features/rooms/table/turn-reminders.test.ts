import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deleteAccount } from '#contract/account/endpoints.ts'
import { changeAwayNotificationChoices } from '#contract/away-notifications/endpoints.ts'
import { listNotifications } from '#contract/inbox/endpoints.ts'
import { createRoom, deleteRoom, joinRoom, sendPassage } from '#contract/rooms/endpoints.ts'
import { getTurn, passTurn } from '#contract/rooms/table/endpoints.ts'
import { DomainEvents } from '#server/domain-events.ts'
import {
  awayMailsTo,
  countWaiting,
  hour,
  minute,
  startFriendsWithMail,
  until,
} from '#server/testing/away-notifications.ts'
import { planOf } from '#server/testing/plan.ts'
import { addDueTables, aRoom } from '#server/testing/rooms.ts'
import { textsOf } from '#server/testing/smtp-server.ts'
import { openStream } from '#server/testing/stream-client.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { listDueReminders, sendDueReminders } from './turn-reminders.ts'

type App = Pick<Awaited<ReturnType<typeof startTestApp>>, 'db'>

/** What the server does each second, in two processes at once. */
const sweepIn = ({ db }: App) => {
  const sweep = () =>
    sendDueReminders({ database: db, events: new DomainEvents() }, new AbortController().signal)
  return () => Promise.all([sweep(), sweep()])
}

async function makeTable(
  ana: Client,
  ben: Client,
  turnSeconds: 43_200 | 86_400 | 259_200,
  duration = 43_200 as const,
) {
  const room = await ana.does(createRoom, {
    input: aRoom({ name: 'The long night', turns: 'round', turnSeconds, duration }),
  })
  const params = { id: room.id }
  await ben.does(joinRoom, { params })
  const send = (who: Client, turn: number) =>
    who.does(sendPassage, { params, input: { content: 'A secret line', turn } })
  return { params, send, turn: () => ben.does(getTurn, { params }) }
}

async function startTable(turnSeconds: 43_200 | 86_400 | 259_200 = 259_200) {
  const t = await startTestApp({ config: { limitsRates: false } })
  const [ana, ben] = [await t.person(), await t.person()]
  const sweep = sweepIn(t)
  /** All reminders that were sent, in order. */
  const sent = async () => {
    const { rows } = await t.db.execute<{ userId: string; ids: Record<string, string> }>(sql`
      select user_id as "userId", ids from inbox_events where name = 'turn.reminder' order by ids ->> 'toldAt', number`)
    return rows.map(({ userId, ids }) => [
      userId === ana.me.id ? 'ana' : 'ben',
      Number(ids['turn']),
      ids['what'],
    ])
  }
  const after = async (ms: number) => {
    t.clock.advance(ms)
    await sweep()
    return sent()
  }
  return { ...t, ana, ben, sweep, sent, after, ...(await makeTable(ana, ben, turnSeconds)) }
}

test('over weeks each holder is told at the start, at half and at the last tenth of a turn, once each, also where it lapses [TURN-21]', async () => {
  const t = await startTable()
  const expected: unknown[] = []
  for (const [number, name] of [
    [1, 'ana'],
    [2, 'ben'],
    [3, 'ana'],
    [4, 'ben'],
  ] as const) {
    expected.push([name, number, 'start'])
    await t.sweep()
    expect(await t.sent()).toEqual(expected)
    expect(await t.after(36 * hour - minute)).toEqual(expected)
    expected.push([name, number, 'half'])
    expect(await t.after(2 * minute)).toEqual(expected)
    expect(await t.after(28.8 * hour - 2 * minute)).toEqual(expected)
    expected.push([name, number, 'last tenth'])
    expect(await t.after(2 * minute)).toEqual(expected)
    // Ben writes, and the turn of Ana lapses.
    if (name === 'ben') await t.send(t.ben, number)
    else t.clock.advance(8 * hour)
    expect(await t.turn()).toMatchObject({ number: number + 1 })
  }
}, 60_000)

test('a holder who has closed the page keeps the turn for 12 hours, and a restart takes none [TURN-21 TURN-22]', async () => {
  const t = await startTable(43_200)
  t.clock.advance(11 * hour)
  expect(await t.turn()).toMatchObject({ number: 1, holderId: t.ana.me.id })
  await t.send(t.ana, 1)
  // The database is ahead of the monotonic time of the process, as after a restart.
  t.clock.step({ database: 11 * hour })
  expect(await t.turn()).toMatchObject({ number: 2, holderId: t.ben.me.id })
  await t.send(t.ben, 2)
  expect(await t.turn()).toMatchObject({ number: 3, holderId: t.ana.me.id })
})

test('after a pause of the server over half and the last tenth a holder is told once, of the last tenth [TURN-21]', async () => {
  const t = await startTable()
  await t.sweep()
  const start = ['ana', 1, 'start']
  expect(await t.after(71 * hour)).toEqual([start, ['ana', 1, 'last tenth']])
  await t.sweep()
  expect(await t.sent()).toHaveLength(2)
})

test('nobody gets a reminder of a turn that is over, or of a room that has ended [TURN-21]', async () => {
  const t = await startTable()
  await t.sweep()
  await t.ana.does(passTurn, { params: t.params, input: { number: 1 } })
  await t.ben.does(passTurn, { params: t.params, input: { number: 2 } })
  const reminders = async () => (await t.ana.does(listNotifications)).map(({ data }) => data)
  expect(await t.after(0)).toHaveLength(2)
  expect(await reminders()).toMatchObject([{ told: 'start', room: { id: t.params.id } }])
  // The turn is over, and its process comes too late.
  t.clock.step({ database: 73 * hour })
  await t.sweep()
  expect(await t.sent()).toHaveLength(2)
  expect(await reminders()).toEqual([])
  t.clock.advance(31 * 24 * hour)
  expect(await t.turn()).toMatchObject({ holderId: null })
  expect(await t.after(hour)).toHaveLength(2)
})

test('when a holder deletes the account, the next one is told, and nobody is told of a deleted room [TURN-21]', async () => {
  const t = await startTable()
  await t.sweep()
  await t.ana.does(deleteAccount)
  expect(await t.after(0)).toEqual([['ben', 2, 'start']])
  expect(await t.ben.does(listNotifications)).toHaveLength(1)
  const boss = await t.admin()
  await boss.does(deleteRoom, { params: t.params })
  expect(await t.after(36 * hour)).toEqual([['ben', 2, 'start']])
  expect(await t.ben.does(listNotifications)).toEqual([])
})

test('a table whose turns last minutes sends no reminder [TURN-21]', async () => {
  const t = await startTestApp()
  const ana = await t.person()
  await ana.does(createRoom, { input: aRoom({ turns: 'round' }) })
  await sweepIn(t)()
  expect(await ana.does(listNotifications)).toEqual([])
})

test('a holder who is away gets a mail with the name of the room and no text of the story [REACH-04]', async () => {
  const t = await startFriendsWithMail()
  const { send } = await makeTable(t.ana, t.ben, 86_400)
  await send(t.ana, 1)
  await sweepIn(t)()
  t.wait()
  const mail = await t.relay.mailTo('ben@example.org', 'Your turn in')
  const { text } = textsOf(mail)
  expect(text).toContain('Your turn in “The long night”')
  expect(text).toContain('/zimmers')
  expect(text).not.toContain('secret')
})

test('a page of the holder gets the turn, and no mail follows [TURN-21 REACH-04]', async () => {
  const t = await startFriendsWithMail()
  const page = await openStream(t.app, t.ana, { inbox: t.ana.me.id })
  await makeTable(t.ana, t.ben, 86_400)
  expect(await page.receives('turn.reminder')).toMatchObject({
    told: 'start',
    room: { name: 'The long night' },
  })
  await until(() => countWaiting(t.db), 0)
  page.close()
})

test('a holder who has switched mails about turns off gets none, and finds the turn in the bell [REACH-04]', async () => {
  const t = await startFriendsWithMail()
  await t.ana.does(changeAwayNotificationChoices, { input: { turns: false } })
  await makeTable(t.ana, t.ben, 86_400)
  await sweepIn(t)()
  await t.writes(t.ana, t.ben, 'hello')
  t.wait()
  await t.relay.mailTo('ben@example.org', 'Ana Lima')
  await until(() => countWaiting(t.db), 0)
  expect(awayMailsTo(t.relay.received, 'ana@example.org')).toEqual([])
  expect(await t.ana.does(listNotifications)).toMatchObject([{ type: 'turn.reminder' }])
})

test('reminders that are due among 10,000 rooms are found by their index [TURN-21]', async () => {
  const { db } = await startTestApp()
  await addDueTables(db, 'turn_remind_at')
  expect(await planOf(db, listDueReminders(db))).toContain('rooms_by_turn_reminder')
})
