import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { changePassword, deleteAccount, login } from '#contract/account/endpoints.ts'
import { deleteUser, listAdminUsers, listAuditEntries } from '#contract/admin/endpoints.ts'
import { approvePosts, submitPost } from '#contract/feed/endpoints.ts'
import { createRoom, deleteRoom } from '#contract/rooms/endpoints.ts'
import { DomainEvents } from '#server/domain-events.ts'
import { grantAdmin, revokeAdmin } from '#server/features/account/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { contentOf } from '#server/testing/content.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { planOf } from '#server/testing/plan.ts'
import { createMemoizedHashing } from '#server/testing/hashing.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { auditQuery } from './audit.ts'

const read = (boss: Client, query = {}) => boss.does(listAuditEntries, { query })

test('an admin reads who signed in or failed to, changed a password, deleted, approved, or was made an admin, the newest first, with names while they exist [S49]', async () => {
  const t = await startTestApp()
  const { clock, db, person, visitor } = t
  const boss = await t.admin({ firstName: 'Vera', lastName: 'Boss', email: 'boss@example.org' })
  const ana = await person({ firstName: 'Ana', lastName: 'Lima', email: 'ana@example.org' })
  const ben = await person({ firstName: 'Ben', lastName: 'Okafor', email: 'ben@example.org' })
  const sources = { database: db, clock, random: systemRandom, events: new DomainEvents() }
  const acts: (() => Promise<unknown>)[] = [
    () => visitor().tries(login, { input: { email: 'ana@example.org', password: 'a wrong one' } }),
    () => ana.does(login, { input: { email: 'ana@example.org', password: 'secret pass 1' } }),
    () => ana.does(changePassword, { input: { newPassword: 'lamps and ink 9' } }),
    () => ana.tries(listAdminUsers),
    async () => {
      const { id } = await ana.does(submitPost, { input: { content: 'A secret line', authorName: 'Ana' } })
      await boss.does(approvePosts, { input: { postIds: [id] } })
    },
    async () => {
      const { id } = await ana.does(createRoom, { input: aRoom() })
      await boss.does(deleteRoom, { params: { id } })
    },
    () =>
      grantAdmin(sources, createMemoizedHashing(), t.config, {
        email: 'ben@example.org',
        password: 'a lamp of my own',
      }),
    () => revokeAdmin(sources, 'ben@example.org'),
    () => boss.does(deleteUser, { params: { id: ben.me.id } }),
    () => ana.does(deleteAccount),
  ]
  for (const act of acts) {
    clock.advance(1000)
    await act()
  }
  const listed = await read(boss)
  const moments = listed.map(({ at }) => at)
  expect(moments).toEqual(moments.toSorted().toReversed())
  // A grant adds two entries at one moment, whose order is by chance.
  const entries = listed.toSorted(
    (one, other) => other.at.localeCompare(one.at) || one.action.localeCompare(other.action),
  )
  const [b, a, c] = [ben.me.id, ana.me.id, boss.me.id]
  const shown = entries.map(({ action, actorId, actorName, subjectId, subjectName }) =>
    // The ids of the post and the room are new in each run.
    [action, actorId, actorName, /-/.test(subjectId ?? '') ? 'a thing' : subjectId, subjectName],
  )
  expect(shown).toEqual([
    ['account-deletion', a, null, null, null],
    ['account-deletion', c, 'Vera Boss', b, null],
    ['admin-revoked', null, null, b, null],
    ['admin-granted', null, null, b, null],
    ['password-change', null, null, b, null],
    ['room-deletion', c, 'Vera Boss', 'a thing', null],
    ['post-approval', c, 'Vera Boss', 'a thing', null],
    ['admin-call-refused', a, null, null, null],
    ['password-change', a, null, null, null],
    ['sign-in', a, null, null, null],
    ['sign-in-refused', null, null, a, null],
  ])
  expect(JSON.stringify(entries)).not.toContain('A secret line')
})

/** Adds an entry for each minute before noon of the 10th, the newest first. */
async function addEntries(db: Db, count: number) {
  await db.execute(sql`
    insert into audit_log (id, at, action, actor_id, subject_id)
    select ('01900000-0000-7000-8000-' || lpad(to_hex(${count} - n), 12, '0'))::uuid,
      '2025-06-10T12:00:00Z'::timestamptz - n * interval '1 minute',
      case n % 4 when 0 then 'sign-in' when 1 then 'post-approval' else 'post-hidden' end,
      'actor' || lpad((n % 100)::text, 5, '0'), 'thing' || lpad((n % 250)::text, 5, '0')
    from generate_series(0, ${count - 1}) n`)
}

test('an admin reads the log page by page: each entry comes once, also when several have one time [S30 S49]', async () => {
  const { admin, db } = await startTestApp()
  const boss = await admin()
  await addEntries(db, 7)
  await db.execute(sql`update audit_log set at = '2025-06-10T11:00:00Z'`)
  const whole = (await read(boss)).map(({ id }) => id)
  expect(whole).toHaveLength(7)
  const seen: string[] = []
  let before: string | undefined
  do {
    const answer = await boss.tries(listAuditEntries, { query: { limit: '3', ...(before && { before }) } })
    seen.push(...(answer.body as { id: string }[]).map(({ id }) => id))
    before = answer.headers['next-before'] as string | undefined
  } while (before !== undefined)
  expect(seen).toEqual(whole)
  for (const wrong of ['2025-06-10_x', 'x'])
    expect(await boss.tries(listAuditEntries, { query: { before: wrong } })).toMatchObject({ status: 400 })
})

test('an admin reads the entries of one action, of one actor or subject, and of some days in the time zone of the installation [S49]', async () => {
  const { admin, db, person } = await startTestApp({ config: { timeZone: 'America/New_York' } })
  const [boss, ana] = [await admin(), await person()]
  const add = (n: number, at: string, action: string, actorId: string | null, subjectId: string | null) =>
    db.execute(sql`insert into audit_log (id, at, action, actor_id, subject_id)
      values (${`01900000-0000-7000-8000-00000000000${n}`}, ${at}, ${action}, ${actorId}, ${subjectId})`)
  const [thing, { id }] = ['01900000-0000-7000-9000-000000000001', ana.me]
  // In New York a day begins at 4:00 UTC.
  await add(1, '2025-06-08T03:59:59.999Z', 'sign-in', id, null)
  await add(2, '2025-06-08T04:00:00.000Z', 'post-hidden', boss.me.id, thing)
  await add(3, '2025-06-09T03:59:59.999Z', 'sign-in-refused', null, id)
  await add(4, '2025-06-09T04:00:00.000Z', 'account-deletion', id, id)
  const numbers = async (query: Record<string, string>) =>
    (await read(boss, query)).map((entry) => Number(entry.id.at(-1)))
  expect(await numbers({})).toEqual([4, 3, 2, 1])
  expect(await numbers({ action: 'sign-in' })).toEqual([1])
  expect(await numbers({ about: id })).toEqual([4, 3, 1])
  expect(await numbers({ about: thing })).toEqual([2])
  expect(await numbers({ from: '2025-06-08', to: '2025-06-08' })).toEqual([3, 2])
  expect(await numbers({ from: '2025-06-08' })).toEqual([4, 3, 2])
  expect(await numbers({ to: '2025-06-07' })).toEqual([1])
  expect(await numbers({ about: id, action: 'sign-in-refused', from: '2025-06-08' })).toEqual([3])
  const wrong: object[] = [{ action: 'nothing' }, { about: "' or true --" }, { from: '2025-02-30' }]
  for (const query of wrong)
    expect(await boss.tries(listAuditEntries, { query })).toMatchObject({ status: 400 })
})

test('reading the log changes nothing, and everybody but an admin is refused [S49 S1]', async () => {
  const { admin, db, guest, person, visitor } = await startTestApp()
  const [boss, ana, someone] = [await admin(), await person(), await guest()]
  await addEntries(db, 5)
  const before = await contentOf(db)
  await read(boss)
  await read(boss, { action: 'sign-in', from: '2025-06-01' })
  expect(await contentOf(db)).toEqual(before)
  for (const [client, status] of [
    [visitor(), 401],
    [someone, 403],
    [ana, 403],
  ] as const)
    expect((await client.tries(listAuditEntries)).status).toBe(status)
})

test('each filter of a long log is served by its index [S49 R16]', async () => {
  const { db } = await startTestApp()
  await addEntries(db, 30_000)
  await db.execute(sql`vacuum analyze audit_log`)
  const planOfAudit = (wanted: Omit<Parameters<typeof auditQuery>[1], 'limit' | 'timeZone'>) => {
    const before = { createdAt: '2025-06-09T00:00:00.000Z', id: '01900000-0000-7000-8000-000000000000' }
    return planOf(db, auditQuery(db, { limit: 51, timeZone: 'Europe/Berlin', before, ...wanted }))
  }
  const plans = [
    await planOfAudit({}),
    await planOfAudit({ action: 'sign-in' }),
    await planOfAudit({ about: 'actor00007' }),
    await planOfAudit({ from: '2025-06-01', to: '2025-06-05' }),
  ]
  for (const plan of plans) expect(plan).not.toContain('Seq Scan')
  expect(plans[0]).toContain('Index Scan Backward using audit_log_in_order')
  expect(plans[1]).toMatch(/audit_log_(of_action|in_order)/)
  for (const index of ['audit_log_of_actor', 'audit_log_of_subject']) expect(plans[2]).toContain(index)
  expect(plans[3]).toContain('audit_log_in_order')
})
