import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deleteAccount } from '#contract/account/endpoints.ts'
import { planOf } from '#server/testing/plan.ts'
import { contentOf } from '#server/testing/content.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { addInboxEvents, inboxesToLock, inboxEventCtes, listInboxStates, type NewEvent } from './queries.ts'

test('among 20,000 people the deletion of a person and open streams find their counters by index [R16]', async () => {
  const { db } = await startTestApp()
  await db.execute(sql`insert into users (id, username, created_at)
    select lpad(n::text, 10, '0'), 'n' || n, app_now() from generate_series(1, 20000) n`)
  await db.execute(sql`insert into inboxes (user_id, last_event)
    select lpad(n::text, 10, '0'), 1 from generate_series(1, 20000) n`)
  await db.execute(sql`insert into inbox_events (user_id, number, name, ids)
    select lpad(n::text, 10, '0'), 1, 'friends.changed', jsonb_build_object('friendUserId', lpad((n - 1)::text, 10, '0'))
    from generate_series(1, 20000) n`)
  await db.execute(sql`vacuum analyze users, inboxes, inbox_events`)
  const query = inboxesToLock({ ownerIds: ['0000000007', '0000000003'], mentionedId: '0000000777' })
  expect(await planOf(db, query)).not.toMatch(/Seq Scan|hashed SubPlan/)
  const { rowCount } = await db.execute(query)
  expect(rowCount).toBe(3)
  const thousand = Array.from({ length: 1000 }, (_, n) => String(n + 1).padStart(10, '0'))
  expect(await planOf(db, listInboxStates(db, thousand))).not.toMatch(/Seq Scan|Hash/)
})

test('an event that names a person who is no friend is deleted with the account of that person [S15]', async () => {
  const { db, person } = await startTestApp()
  const [ana, ben] = [await person(), await person()]
  const event = { personId: ben.me.id, otherPersonId: ana.me.id, details: {} }
  await addInboxEvents(db, 'room.invited', [event])
  const ofBen = async () => (await contentOf(db)).inbox_events!.filter((row) => row.includes(ben.me.id))
  expect(await ofBen()).toEqual([expect.stringContaining(ana.me.id)])
  await ana.does(deleteAccount)
  expect(await ofBen()).toEqual([])
  // @ts-expect-error A person cannot be named in another way.
  void ({ ...event, details: { inviterId: ana.me.id } } satisfies NewEvent)
  // @ts-expect-error An event says whether it names a person.
  void ({ personId: ben.me.id, details: {} } satisfies NewEvent)
})

test('a statement that was planned while there were few events reads no events of other people when it deletes an old one', async () => {
  const { db } = await startTestApp()
  // Without statistics of the table. By those of the few rows of an earlier test Postgres would scan the whole table.
  await db.execute(sql`truncate inbox_events`)
  const parts = inboxEventCtes(sql`
    select id as person_id, 'message' as name, null::text as other_person_id, '{}'::jsonb as details,
      false as is_listed, false as is_told_away
    from users where id = any('{a,b}'::text[])`)
  const named = Object.entries(parts).map(([name, part]) => sql`${sql.identifier(name)} as (${part})`)
  const plan = await planOf(db, sql`with ${sql.join(named, sql`, `)} select 1 from counted`)
  expect(plan).toContain('Delete on inbox_events')
  expect(plan).not.toContain('Seq Scan on inbox_events')
})
