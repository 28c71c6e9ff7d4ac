import { expect, test } from 'vitest'
import { changePassword, getMe, login, register } from '#contract/account/endpoints.ts'
import { digestOf } from '#server/platform/tokens.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { sessions } from './schema.ts'
import { actions, stored } from './testing.ts'

const minute = 60_000

test('a person who has just signed in changes the password: other sessions end, and this one is renewed [API-08 ACC-15 S14 S23 S49]', async () => {
  const { person, visitor, db } = await startTestApp()
  const browser = await person({ email: 'ana@example.org', password: 'first pass' })
  const [session] = await db.select().from(sessions)
  const other = visitor()
  await other.does(login, { input: { email: 'ana@example.org', password: 'first pass' } })
  const old = browser.cookies.get('sid')
  expect(await browser.does(changePassword, { input: { newPassword: 'second pass' } })).toEqual({ ok: true })
  const token = browser.cookies.get('sid')!
  expect(token).not.toBe(old)
  expect(await db.select().from(sessions)).toEqual([{ ...session, tokenHash: digestOf(token) }])
  expect((await browser.tries(getMe)).status).toBe(200)
  expect((await other.tries(getMe)).status).toBe(401)
  const signIn = (password: string) =>
    visitor().tries(login, { input: { email: 'ana@example.org', password } })
  expect((await signIn('first pass')).status).toBe(401)
  expect((await signIn('second pass')).status).toBe(200)
  expect(await actions(db)).toContain('password-change')
})

test('a person needs the old password or a new sign-in after 15 minutes [ACC-15 S14]', async () => {
  const { person, clock, db } = await startTestApp()
  const browser = await person({ password: 'first pass' })
  clock.advance(16 * minute)
  const before = await stored(db)
  for (const currentPassword of [undefined, 'wrong pass']) {
    const input = { newPassword: 'second pass', ...(currentPassword && { currentPassword }) }
    expect(await browser.tries(changePassword, { input })).toMatchObject({
      status: 403,
      error: 'Please sign in again to change your password',
    })
  }
  expect(await stored(db)).toEqual(before)
  const input = { newPassword: 'second pass', currentPassword: 'first pass' }
  expect((await browser.tries(changePassword, { input })).status).toBe(200)
})

test('a short new password is refused with its sentence, and the sixth change within 15 minutes [S12 S13]', async () => {
  const { person, db } = await startTestApp()
  const browser = await person({ password: 'first pass' })
  const before = await stored(db)
  expect(await browser.tries(changePassword, { input: { newPassword: 'abc12' } })).toMatchObject({
    status: 400,
    error: 'Password must be at least 6 characters',
  })
  expect(await stored(db)).toEqual(before)
  for (let i = 0; i < 4; i++)
    await browser.does(changePassword, { input: { newPassword: `other pass ${i}` } })
  expect((await browser.tries(changePassword, { input: { newPassword: 'one too many' } })).status).toBe(429)
})

test('admins need twelve characters that are not common [S13]', async () => {
  const { admin, db } = await startTestApp()
  const browser = await admin()
  const before = await stored(db)
  const short = await browser.tries(changePassword, { input: { newPassword: 'elevenchars' } })
  expect(short).toMatchObject({
    status: 400,
    code: 'PasswordTooShort',
    error: 'Password must be at least 12 characters',
  })
  const common = await browser.tries(changePassword, { input: { newPassword: 'Password12345' } })
  expect(common).toMatchObject({ status: 400, code: 'PasswordTooCommon' })
  expect(await stored(db)).toEqual(before)
})

test('settings raise the minimum and refuse common passwords for all [S13]', async () => {
  const { visitor, db } = await startTestApp({
    config: { passwordMinLength: 10, refusesCommonPasswords: true },
  })
  const tryWith = (password: string) =>
    visitor().tries(register, { input: { email: 'a@example.org', password } })
  expect(await tryWith('ninechars')).toMatchObject({ status: 400, code: 'PasswordTooShort' })
  expect(await tryWith('qwertyuiop')).toMatchObject({ status: 400, code: 'PasswordTooCommon' })
  expect((await stored(db)).users).toEqual([])
  expect((await tryWith('lamp and ink')).status).toBe(201)
})
