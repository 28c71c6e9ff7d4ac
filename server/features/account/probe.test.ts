import { expect, test } from 'vitest'
import { login, register, changePassword, getMe, loginAsGuest } from '#contract/account/endpoints.ts'
import { demoAccount } from '#contract/account/fields.ts'
import { eq } from 'drizzle-orm'
import { startTestApp } from '#server/testing/test-app.ts'
import { buildApp } from '#server/app.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { users } from './schema.ts'
test('probe', async () => {
  const { person, visitor, db, clock, config, app } = await startTestApp()
  const ana = await person({ email: 'ana@example.org', password: 'right pass' })
  const out: Record<string, unknown> = {}
  out.nul = (await visitor().tries(login, { input: { email: 'a\u0000@example.org', password: 'abcdef' } })).status
  out.lone = (await visitor().tries(login, { input: { email: 'a\ud800@example.org', password: 'abcdef' } })).status
  out.burst = (await Promise.all(Array.from({ length: 20 }, () => visitor().tries(login, { input: { email: 'x@example.org', password: 'wrong' } })))).map((a) => a.status).join()
  const w = (email: string) => visitor().tries(login, { input: { email, password: 'wrong' } }).then((a) => a.status)
  const seq = []
  for (let i = 0; i < 9; i++) { seq.push(await w('ana@example.org')); await w('ana@example.org 127.0.0.1') }
  out.collision = seq.join()
  out.demoRegister = (await visitor().tries(register, { input: demoAccount })).status
  out.demoLogin = (await visitor().tries(login, { input: demoAccount })).status
  const boss = await person({ email: 'boss@example.org' })
  try { const second = await buildApp({ config: { ...config, adminEmail: 'boss@example.org', adminPassword: 'lamps and ink 9' }, database: db, clock, random: systemRandom }); await second.close(); out.start = 'started' } catch (e) { out.start = String(e) }
  console.log(out)
  void boss; void ana; void app; void users; void eq; void changePassword; void getMe; void loginAsGuest
  expect(1).toBe(1)
})
