import { expect, test } from 'vitest'
import { checkEmail, registerByOnboarding } from '#contract/account/endpoints.ts'
import { demoAccount } from '#contract/account/rules.ts'
import { createLog } from '#server/log.ts'
import { startRegistration } from '#server/testing/registration.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { stored } from './testing.ts'

const address = 'ana@example.org'

test('a person learns before the registration whether an address is taken, in any case of its letters, and nothing changes [LOOP-27]', async () => {
  const { person, visitor, db } = await startTestApp()
  await person({ email: address })
  const before = await stored(db)
  expect(await visitor().does(checkEmail, { input: { email: 'ben@example.org' } })).toEqual({ ok: true })
  for (const email of [address, ' ANA@Example.org ']) {
    const answer = await visitor().tries(checkEmail, { input: { email } })
    const registration = await visitor().tries(registerByOnboarding, {
      input: { name: 'Ana', email, passcode: 'abc123', writingSample: 'I write at night.' },
    })
    expect(answer).toMatchObject({ status: 400, code: 'EmailTaken', error: registration.error })
    expect(answer.fields).toEqual(registration.fields)
  }
  expect(await stored(db)).toEqual(before)
})

test('nobody learns from the check that the demo account is reserved but not there [LOOP-27 S18]', async () => {
  const { visitor } = await startTestApp()
  const answer = await visitor().tries(checkEmail, { input: { email: demoAccount.email } })
  expect(answer).toMatchObject({ status: 400, code: 'EmailTaken' })
})

test('where the registration is closed or by invitation the check shows nobody without a link who has an account [LOOP-27 INST-02 S11]', async () => {
  const { set, ana, makeLink, visitor } = await startRegistration({ registration: 'closed' })
  const { token } = await makeLink()
  const codes = async (registrationToken?: string) => {
    const input = { ...(registrationToken !== undefined && { registrationToken }) }
    const answers = [ana.me.email!, 'free@example.org'].map((email) =>
      visitor().tries(checkEmail, { input: { ...input, email } }),
    )
    return (await Promise.all(answers)).map(({ code }) => code)
  }
  const both = (code: string) => [code, code]
  expect(await codes(token)).toEqual(both('RegistrationClosed'))
  await set({ registration: 'invitation' })
  expect(await codes()).toEqual(both('RegistrationNeedsLink'))
  expect(await codes('none')).toEqual(both('RegistrationLinkRefused'))
  expect(await codes(token)).toEqual(['EmailTaken', undefined])
})

test('a text that is no address is refused by the check as by the registration [LOOP-27 ONB-14]', async () => {
  const { visitor, db } = await startTestApp()
  for (const email of ['ana@', '', undefined, 7]) {
    const answer = await visitor().tries(checkEmail, { input: { email } as never })
    expect(answer).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      error: 'Please enter your name and email',
    })
  }
  expect(await stored(db)).toEqual({ users: [], emails: [], credentials: [] })
})

test('an address of the network checks ten addresses in ten minutes, counted apart from its registrations [LOOP-27 S47]', async () => {
  const { request, clock } = await startTestApp({ config: { trustProxy: '127.0.0.1' } })
  const from = (ip: string, url: string, payload: object) =>
    request({ method: 'POST', url, headers: { 'x-forwarded-for': ip }, payload }).then(
      ({ statusCode }) => statusCode,
    )
  const checks = (ip: string) => from(ip, checkEmail.path, { email: address })
  for (let n = 0; n < 10; n++) expect(await checks('198.51.100.7')).toBe(200)
  expect(await checks('198.51.100.7')).toBe(429)
  expect(await checks('198.51.100.8')).toBe(200)
  const registers = (n: number) =>
    from('198.51.100.7', '/api/register', { email: `p${n}@example.org`, password: 'a secret 1' })
  for (let n = 0; n < 10; n++) expect(await registers(n)).toBe(201)
  expect(await registers(10)).toBe(429)
  clock.advance(10 * 60_000)
  expect(await checks('198.51.100.7')).toBe(200)
})

test('the address that is checked stands in no line of the log [LOOP-27]', async () => {
  const lines: string[] = []
  const logger = createLog('trace', { write: (line) => void lines.push(line) })
  const { visitor } = await startTestApp({ logger })
  await visitor().does(checkEmail, { input: { email: address } })
  await visitor().tries(checkEmail, { input: { email: 'ana.example.org' } })
  expect(lines.join('\n')).toContain(checkEmail.path)
  expect(lines.join('\n')).not.toContain('example.org')
})
