import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { listAdminUsers } from '#contract/admin/endpoints.ts'
import { login } from '#contract/account/endpoints.ts'
import { createLog } from '../log.ts'
import { auditLog } from '../platform/schema.ts'
import { startTestApp } from '../testing/test-app.ts'

// The minute of the counting ends when a test says so.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval'] }))
afterEach(() => void vi.useRealTimers())

const minuteMs = 60_000

async function start() {
  const lines: { msg: string; count: number }[] = []
  const logger = createLog('warn', { write: (line) => void lines.push(JSON.parse(line) as never) })
  const t = await startTestApp({ logger, config: { limitsRates: false } })
  const audited = async () => {
    const rows = await t.db
      .select({
        action: auditLog.action,
        actorId: auditLog.actorId,
        subjectId: auditLog.subjectId,
        count: auditLog.count,
      })
      .from(auditLog)
      .where(sql`action like '%-refused'`)
    return sorted(rows)
  }
  return { ...t, lines, audited }
}

// Rows of one statement have no order of their own.
const sorted = <Row>(rows: Row[]) =>
  rows.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))

test('admin calls of one person that are refused leave one row at once and one with their count after a minute [S49 S52]', async () => {
  const { person, guest, audited, db } = await start()
  const [ana, someone] = [await person(), await guest()]
  const row = { action: 'admin-call-refused', subjectId: null }
  for (let n = 0; n < 50; n++) {
    expect((await ana.tries(listAdminUsers)).status).toBe(403)
    expect((await someone.tries(listAdminUsers)).status).toBe(403)
  }
  const first = [
    { ...row, actorId: ana.me.id, count: 1 },
    { ...row, actorId: someone.me.id, count: 1 },
  ]
  expect(await audited()).toEqual(sorted(first))
  await vi.advanceTimersByTimeAsync(minuteMs)
  const both = [
    ...first,
    { ...row, actorId: ana.me.id, count: 49 },
    { ...row, actorId: someone.me.id, count: 49 },
  ]
  await expect.poll(audited).toEqual(sorted(both))
  await ana.tries(listAdminUsers)
  expect(await audited()).toEqual(sorted([...both, first[0]]))
  expect(await db.$count(auditLog)).toBe(5)
})

test('what was counted is written when the server closes, and after a failure at the next minute [S49 S52 R17]', async () => {
  const { person, audited, db, app, lines } = await start()
  const ana = await person()
  for (let n = 0; n < 3; n++) await ana.tries(listAdminUsers)
  await db.execute(sql`alter table audit_log rename to hidden`)
  await vi.advanceTimersByTimeAsync(minuteMs)
  await expect.poll(() => lines.map(({ msg }) => msg)).toContain('audit of refusals failed')
  await db.execute(sql`alter table hidden rename to audit_log`)
  for (let n = 0; n < 4; n++) await ana.tries(listAdminUsers)
  await app.close()
  expect((await audited()).map(({ count }) => count).toSorted()).toEqual([1, 1, 5])
})

test('sign-ins of one address that are refused are counted together, by account, and known accounts take no other work [S11 S49 S52]', async () => {
  const { person, visitor, audited } = await start()
  const ana = await person({ email: 'ana@example.org' })
  const tries = ['nobody@example.org', 'ana@example.org', 'somebody@example.org', 'ana@example.org']
  for (const email of tries)
    expect((await visitor().tries(login, { input: { email, password: 'wrong' } })).status).toBe(401)
  const row = { action: 'sign-in-refused', actorId: null }
  expect(await audited()).toEqual([{ ...row, subjectId: null, count: 1 }])
  await vi.advanceTimersByTimeAsync(minuteMs)
  await expect.poll(audited).toEqual(
    sorted([
      { ...row, subjectId: null, count: 1 },
      { ...row, subjectId: ana.me.id, count: 2 },
      { ...row, subjectId: null, count: 1 },
    ]),
  )
})

test('reports of one address about the policy of the page are two lines in the log for each minute, without content [S38 S52]', async () => {
  const { request, lines } = await start()
  const report = (remoteAddress: string) =>
    request({
      method: 'POST',
      url: '/api/csp-report',
      remoteAddress,
      headers: { 'content-type': 'application/csp-report' },
      payload: '{"csp-report":{"blocked-uri":"https://evil.example"}}',
    })
  for (let n = 0; n < 40; n++) expect((await report('203.0.113.9')).statusCode).toBe(204)
  await report('203.0.113.10')
  expect(lines.map(({ count }) => count)).toEqual([1, 1])
  await vi.advanceTimersByTimeAsync(minuteMs)
  expect(lines.map(({ count }) => count)).toEqual([1, 1, 39])
  expect(JSON.stringify(lines)).not.toMatch(/evil|203\.0/)
})
