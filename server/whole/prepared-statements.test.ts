import { sql } from 'drizzle-orm'
import type { PoolClient } from 'pg'
import { expect, test } from 'vitest'
import { getMe } from '#contract/account/endpoints.ts'
import { saveCalendarNote } from '#contract/calendar/endpoints.ts'
import { getDiaryEntry, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { addFriend, listFriends } from '#contract/friends/endpoints.ts'
import { listFollowedIds } from '#contract/follows/endpoints.ts'
import { listMessages, sendMessage } from '#contract/messages/endpoints.ts'
import {
  createRoom,
  listFeedRooms,
  listOpenRooms,
  listPassages,
  listRooms,
  listSlowRooms,
  sendPassage,
} from '#contract/rooms/endpoints.ts'
import { search } from '#contract/search/endpoints.ts'
import { listEndedSessions } from '#server/features/account/index.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { digestOf } from '#server/platform/tokens.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { newToken, programWith } from '#server/testing/programs.ts'
import { openStream } from '#server/testing/stream-client.ts'
import { startTestApp } from '#server/testing/test-app.ts'

const statements = [
  'insert_messages',
  'insert_passages',
  'save_diary',
  'select_api_tokens',
  'select_calendar_day',
  'select_diary_day',
  'select_ended_api_tokens',
  'select_ended_sessions',
  'select_feed_rooms_of_day',
  'select_first_friends',
  'select_followed_ids',
  'select_found_people',
  'select_found_people_for_visitor',
  'select_inbox_events',
  'select_inbox_sessions',
  'select_messages',
  'select_newest_messages',
  'select_newest_passages',
  'select_next_friends',
  'select_open_rooms_of_day',
  'select_room',
  'select_rooms_of_day',
  'select_sessions',
  'select_slow_rooms',
  'select_user',
]

/** Asks all open connections at the same time. */
async function atEachConnection<T>({ pool }: Database, ask: (client: PoolClient) => Promise<T>) {
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()))
  try {
    return await Promise.all(clients.map(ask))
  } finally {
    for (const client of clients) client.release()
  }
}

/** How often each prepared statement was executed with a general plan: the greatest count of all connections. */
async function countGeneralPlans(db: Database) {
  const answers = await atEachConnection(db, (client) =>
    client.query<{ name: string; general: number }>(
      'select name, generic_plans::int as general from pg_prepared_statements',
    ),
  )
  const counts = new Map<string, number>()
  for (const { name, general } of answers.flatMap(({ rows }) => rows))
    counts.set(name, Math.max(counts.get(name) ?? 0, general))
  return counts
}

/** The general plan of a prepared statement, at a connection that has it. */
async function generalPlanOf(db: Database, name: string) {
  const plans = await atEachConnection(db, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      'select cardinality(parameter_types) as count from pg_prepared_statements where name = $1',
      [name],
    )
    if (rows[0] === undefined) return undefined
    const values = Array(rows[0].count).fill('null').join(', ')
    await client.query("begin; set local plan_cache_mode = 'force_generic_plan'")
    const plan = await client.query<{ 'QUERY PLAN': string }>(`explain execute ${name}(${values})`)
    await client.query('rollback')
    return plan.rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  return plans.find((plan) => plan !== undefined)
}

/** A server, and a function that makes the calls whose statements are prepared. */
async function startCalls() {
  const { app, db, person, visitor, request } = await startTestApp({ config: { limitsRates: false } })
  const [ana, ben, cleo] = [await person(), await person(), await person()]
  for (const { me } of [ben, cleo]) await ana.does(addFriend, { input: { friendUserId: me.id } })
  const firstFriend = await ana.tries(listFriends, { query: { limit: '1' } })
  const before = String(firstFriend.headers['next-before'])
  const params = { id: (await ana.does(createRoom, { input: aRoom() })).id }
  const { token } = await newToken(ana, 'messages')
  const program = programWith(request, token)
  const stream = await openStream(app, ben, { inbox: ben.me.id })
  const day = '2026-03-01'
  let { updated_at: base } = await ana.does(saveDiaryEntry, { input: { date: day, content: 'Text' } })
  await ana.does(saveCalendarNote, { input: { date: day, note: 'Note' } })
  const callAll = async (n: number) => {
    const saved = await ana.does(saveDiaryEntry, { input: { date: day, content: `Text ${n}`, base } })
    base = saved.updated_at
    await ana.does(listPassages, { params })
    await ana.does(listRooms)
    await ana.does(listOpenRooms)
    await ana.does(listFeedRooms)
    await ana.does(listSlowRooms)
    await ana.does(listFollowedIds)
    await ana.does(getMe)
    for (const reader of [ana, visitor()]) await reader.does(search, { query: { q: 'ana' } })
    await ana.does(getDiaryEntry, { params: { day } })
    // Refused: the answer has the note of the day.
    await ana.tries(saveCalendarNote, { input: { date: day, note: 'Other note', base: null } })
    await ana.does(listFriends)
    await ana.does(listFriends, { query: { before } })
    for (const kind of ['user', 'apiToken'] as const)
      await listEndedSessions(db, [{ tokenHash: digestOf('no token'), kind }])
    await program.does(listMessages, { params: { friendId: ben.me.id } })
    await ana.does(sendPassage, { params, input: { content: `Passage ${n}` } })
    await ana.does(sendMessage, {
      input: { messageType: 'text', receiverId: ben.me.id, content: `Message ${n}` },
    })
    await stream.receives('message', ({ content }) => content === `Message ${n}`)
  }
  return { db, ana, ben, params, callAll }
}

test('the statements of most calls are planned once for a connection, not at each call [R16]', async () => {
  const { db, callAll } = await startCalls()
  // Postgres compares the general plan with the first five others.
  for (let n = 0; n < 40; n++) await callAll(n)
  const counts = await countGeneralPlans(db)
  expect(statements.filter((name) => !counts.get(name))).toEqual([])
})

/** A new id of version 7, as the answers require. */
const newId = sql`overlay(gen_random_uuid()::text placing '7' from 15)::uuid`

test('among 2,000 people and rooms no general plan reads all of them, and the newest messages and passages are read from the end of an index [R16]', async () => {
  const { db, ana, ben, params, callAll } = await startCalls()
  await callAll(1)
  await db.execute(sql`insert into users (id, username, first_name, created_at)
    select lpad(n::text, 10, '0'), 'n' || n, 'N', app_now() from generate_series(1, 2000) n`)
  await db.execute(sql`insert into sessions (token_hash, user_id, opened_at, last_seen_at, expires_at)
    select 'hash ' || id, id, app_now(), app_now(), app_now() + interval '1 day' from users where username like 'n%'`)
  await db.execute(sql`
    insert into friendships (id, low_id, high_id, created_at, low_shows_email, high_shows_email, last_message_at)
    select gen_random_uuid(), id, lpad((right(id, 5)::int + 1)::text, 10, '0'), app_now(), true, true, app_now()
    from users where username like 'n%' and id < '0000002000'`)
  await db.execute(sql`
    insert into direct_messages (friendship_id, position, id, sender_id, content, created_at)
    select friendships.id, n, ${newId}, low_id, convert_to('line ' || n, 'UTF8'), app_now()
    from friendships, generate_series(2, case when low_id in (${ana.me.id}, ${ben.me.id}) then 20000 else 4 end) n`)
  await db.execute(sql`
    insert into rooms select (jsonb_populate_record(rooms, jsonb_build_object('id', ${newId}))).*
    from rooms, generate_series(1, 2000)`)
  await db.execute(sql`
    insert into room_messages (room_id, position, id, user_id, content, created_at, event)
    select rooms.id, n, ${newId}, ${ana.me.id}, 'line ' || n, app_now(), n + 1
    from rooms, generate_series(2, case when id = ${params.id} then 20000 else 4 end) n`)
  await db.execute(sql`
    insert into diary_entries (user_id, entry_date, content, size, updated_at)
    select id, date '2020-01-01' + n, convert_to('day ' || n, 'UTF8'), 6, app_now()
    from users, generate_series(1, case when id = ${ana.me.id} then 2000 else 4 end) n`)
  await db.execute(sql`vacuum analyze`)
  const plans = new Map<string, string>()
  for (const name of statements) plans.set(name, (await generalPlanOf(db, name)) ?? 'no plan')
  const readsAll =
    /no plan|Seq Scan on (users|sessions|friendships|rooms|direct_messages|room_messages|diary_entries)/
  expect(statements.filter((name) => readsAll.test(plans.get(name)!))).toEqual([])
  expect(plans.get('select_rooms_of_day')).toMatch(/Index Scan using rooms_by_creation/)
  expect(plans.get('select_newest_messages')).toMatch(
    /Index Scan Backward using direct_messages_friendship_id_position_pk/,
  )
  expect(plans.get('select_newest_passages')).toMatch(
    /Index Scan Backward using room_messages_room_id_position_pk/,
  )
})
