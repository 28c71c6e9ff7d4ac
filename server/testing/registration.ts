import { expect, vi } from 'vitest'
import { login, register, registerByOnboarding } from '#contract/account/endpoints.ts'
import {
  createRegistrationLink,
  listRegistrationRequests,
  requestRegistration,
} from '#contract/account/registration/endpoints.ts'
import { listAuditEntries } from '#contract/admin/endpoints.ts'
import { type Access, getConfig } from '#contract/app/endpoints.ts'
import { changeInstanceSettings } from '#contract/instance/endpoints.ts'
import { type Client, startTestApp } from './test-app.ts'

export const nia = {
  name: 'Nia New',
  email: 'nia@example.org',
  passcode: 'secret1',
  writingSample: 'I write at night.',
}
export const asked = { ...nia, answer: 'I live next door.' }

/** An instance with these settings, an admin, and the ways to sign up. */
export async function startRegistration(
  settings: Partial<Access> = {},
  options: Parameters<typeof startTestApp>[0] = { config: { limitsRates: false } },
) {
  const t = await startTestApp(options)
  const boss = await t.admin()
  const ana = await t.person()
  let base: string | null = null
  const set = async (changed: typeof settings) => {
    base = (await boss.does(changeInstanceSettings, { input: { base, ...changed } })).updatedAt
    // Every process has the settings.
    await vi.waitFor(async () => {
      for (let n = 0; n < t.processes; n++)
        expect(await t.visitor().does(getConfig)).toMatchObject({ access: changed })
    })
  }
  if (Object.keys(settings).length > 0) await set(settings)
  const ways = [
    (more: object = {}, by: Client = t.visitor()) =>
      by.tries(registerByOnboarding, { input: { ...nia, ...more } }),
    (more: object = {}, by: Client = t.visitor()) =>
      by.tries(register, { input: { email: nia.email, password: nia.passcode, firstName: 'Nia', ...more } }),
  ]
  const ask = (more: object = {}, by: Client = t.visitor()) =>
    by.tries(requestRegistration, { input: { ...asked, ...more } })
  const signIn = (password = nia.passcode) =>
    t.visitor().tries(login, { input: { email: nia.email, password } })
  const waiting = () => boss.does(listRegistrationRequests)
  const makeLink = (maxUses = 1, days = 7) =>
    boss.does(createRegistrationLink, { input: { label: 'Class', maxUses, days } })
  const audited = async () =>
    (await boss.does(listAuditEntries)).map(({ action, subjectId, details }) => ({
      action,
      subjectId,
      details,
    }))
  return { ...t, boss, ana, set, ways, ask, signIn, waiting, makeLink, audited }
}
