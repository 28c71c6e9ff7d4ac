import { expect, test } from 'vitest'
import { getStats, listAdminUsers, listAuditEntries } from '#contract/admin/endpoints.ts'
import { getInstanceSettings } from '#contract/instance/endpoints.ts'
import { createPasswordReset } from '#contract/password-resets/endpoints.ts'
import { emails } from '#server/features/account/index.ts'
import { calls, requestOf } from '../testing/calls.ts'
import { startWorld } from '../testing/world.ts'

const ofModerators = calls.filter(({ answers }) => answers.moderator < 300 && answers.other >= 400)
const forAdminsAlone = calls.filter(({ answers }) => answers.admin < 300 && answers.moderator >= 400)

test('moderators review posts and reports and suspend, and make no other call of admins [INST-05 S2]', () => {
  expect(ofModerators.map(({ name }) => name).toSorted()).toEqual([
    'DELETE /api/admin/users/:id/suspension',
    'GET /api/admin/people',
    'GET /api/admin/posts',
    'GET /api/admin/posts/today',
    'GET /api/admin/reports',
    'GET /api/admin/users/:id/suspension',
    'GET /api/admin/waiting',
    'GET /api/feed/pending',
    'PATCH /api/admin/posts/:id/visibility',
    'POST /api/admin/posts/bulk-approve',
    'POST /api/admin/posts/bulk-visibility',
    'POST /api/admin/reports/:id/close',
    'POST /api/feed/pending/:id/approve',
    'PUT /api/admin/users/:id/suspension',
  ])
  const refused = forAdminsAlone.map(({ endpoint }) => endpoint.path)
  for (const { path } of [
    getInstanceSettings,
    listAdminUsers,
    listAuditEntries,
    getStats,
    createPasswordReset,
  ])
    expect(refused).toContain(path)
})

test.each(ofModerators)('$name answers a moderator without any email address [INST-05 S5]', async (row) => {
  const world = await startWorld()
  const { statusCode, body } = await world.callers.moderator.request(requestOf(row, row.make(world)))
  expect(statusCode).toBe(200)
  const addresses = await world.db.select({ address: emails.address }).from(emails)
  expect(addresses.length).toBeGreaterThan(5)
  expect(addresses.filter(({ address }) => body.includes(address))).toEqual([])
})
