import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { checkEmail, loginAsGuest } from '#contract/account/endpoints.ts'
import { removeModerator } from '#contract/account/moderators/endpoints.ts'
import { checkRegistrationLink } from '#contract/account/registration/endpoints.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { getInvitation } from '#contract/invitations/endpoints.ts'
import { requestConfirmation } from '#contract/mails/endpoints.ts'
import { findAwayNotificationLink } from '#contract/away-notifications/endpoints.ts'
import { requestPasswordReset } from '#contract/password-resets/endpoints.ts'
import { deletePushDevice } from '#contract/push/endpoints.ts'
import { announceWriting } from '#contract/rooms/endpoints.ts'
import type { Db } from '../platform/database/pool.ts'
import { handle, oneStatement } from '../platform/http/endpoints/handle.ts'
import { everyone } from '../platform/http/endpoints/policy.ts'
import { auditLog, instanceFacts } from '../platform/schema.ts'
import { allowed, calls, requestOf } from '../testing/calls.ts'
import { startWorld } from '../testing/world.ts'
import { addFact, startPlatform } from '../testing/test-platform.ts'

/** Records the transaction of each row that changes from now on. Answers how to list the tables of each transaction. */
async function recordTransactions(db: Db): Promise<() => Promise<string[][]>> {
  await db.execute(sql`create table changed_rows (transaction xid8, name text)`)
  await db.execute(sql`
    create function record_change() returns trigger language plpgsql as $$ begin
      insert into changed_rows values (pg_current_xact_id(), tg_table_name);
      return null;
    end $$`)
  await db.execute(sql`
    do $$ declare name text; begin
      for name in select tablename from pg_tables where schemaname = 'public' and tablename <> 'changed_rows' loop
        execute format('create trigger record_change after insert or update or delete on %I
          for each row execute function record_change()', name);
      end loop;
    end $$`)
  return async () => {
    const { rows } = await db.execute<{ names: string[] }>(sql`
      select array_agg(distinct name order by name) as names from changed_rows group by transaction order by transaction`)
    return rows.map(({ names }) => names)
  }
}

const addFactInTwoTables = (options: { withoutTransaction?: string }) =>
  handle(addFact, everyone, options, async ({ db, input, audit }) => {
    await db.insert(instanceFacts).values({ name: input.name, value: '' })
    await audit('post-creation')
    if (input.count === 0) throw new Error('a failure after both changes')
    return { name: input.name }
  })

/** The last two queue a mail, and the world sends none. */
const storesNothing = new Set<Endpoint>([
  // The caller has no device, and the person is no moderator.
  deletePushDevice,
  removeModerator,
  announceWriting,
  checkEmail,
  checkRegistrationLink,
  findAwayNotificationLink,
  getInvitation,
  requestConfirmation,
  requestPasswordReset,
])

test.each(calls.filter(({ endpoint }) => endpoint.method !== 'GET'))(
  '$name changes all its rows in one transaction without an Idempotency-Key too, so that no half of it can stay [R5]',
  async (row) => {
    const world = await startWorld()
    // A person with a session who signs in as a guest stays that person, and nothing is stored.
    const client = row.endpoint === loginAsGuest ? world.visitor() : allowed(world, row)
    const request = requestOf(row, row.make(world))
    const transactions = await recordTransactions(world.db)
    expect((await client.request(request)).statusCode).toBeLessThan(300)
    expect(await transactions()).toHaveLength(storesNothing.has(row.endpoint) ? 0 : 1)
  },
)

test('each route that claims the Idempotency-Key itself stores it in the one transaction of its change [R5 R7]', async () => {
  const world = await startWorld()
  const claiming = world.app.mounted.flatMap(({ config }) => (config.claimsKey ? [config.endpoint!] : []))
  expect(claiming.length).toBeGreaterThan(0)
  const transactions = await recordTransactions(world.db)
  for (const endpoint of claiming) {
    const row = calls.find((call) => call.endpoint === endpoint)!
    const before = await transactions()
    const request = { ...requestOf(row, row.make(world)), headers: { 'idempotency-key': 'key' } }
    expect((await allowed(world, row).request(request)).statusCode).toBeLessThan(300)
    const added = (await transactions()).slice(before.length)
    expect([endpoint.path, added]).toEqual([endpoint.path, [expect.arrayContaining(['idempotency_keys'])]])
  }
})

test('a route that leaves out the transaction says why in a sentence [R5]', async () => {
  const { app } = await startWorld()
  const reasons = app.mounted.flatMap(({ config }) => config.withoutTransaction ?? [])
  expect(reasons.length).toBeGreaterThan(0)
  for (const reason of reasons) expect(reason).toMatch(/^\w+( [\w,]+){2,}$/)
})

test('a change that fails after its second table leaves nothing in the first [R5]', async () => {
  const { post, stored, database } = await startPlatform([addFactInTwoTables({})])
  expect((await post({ name: 'a', count: 0 })).statusCode).toBe(500)
  expect([await stored(), await database.$count(auditLog)]).toEqual([[], 0])
  expect((await post({ name: 'b' })).statusCode).toBe(201)
  expect([await stored(), await database.$count(auditLog)]).toEqual([['b'], 1])
})

test('the test of all calls notices two tables that are changed without a transaction', async () => {
  const { post, database } = await startPlatform([addFactInTwoTables(oneStatement)])
  const transactions = await recordTransactions(database)
  await post({ name: 'a' })
  expect((await transactions()).toSorted()).toEqual([['audit_log'], ['instance_facts']])
})
