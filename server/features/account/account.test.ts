import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { changePassword, deleteAccount, getMe, login, register } from '#contract/account/endpoints.ts'
import { demoAccount } from '#contract/account/rules.ts'
import { createPost, submitPost } from '#contract/feed/endpoints.ts'
import { posts } from '#server/features/feed/index.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { users } from './schema.ts'
import { actions, countSessions, stored } from './testing.ts'

const minute = 60_000

test('a person deletes the account: published posts stay without a name, and nothing else stays [API-09 ACC-26 S15 S49]', async () => {
  const { person, admin, visitor, db } = await startTestApp()
  const browser = await person({ email: 'ana@example.org' })
  await browser.does(submitPost, { input: { content: 'waits', authorName: 'Ana' } })
  await browser.does(submitPost, { input: { content: 'stands', authorName: 'Ana', type: 'premium' } })
  const boss = await admin()
  await boss.does(createPost, { input: { content: 'of somebody else', authorName: 'Boss' } })
  const answer = await browser.tries(deleteAccount)
  expect(answer).toMatchObject({ status: 200, body: { ok: true } })
  expect([...browser.cookies.keys()]).toEqual(['device'])
  const left = await db.select().from(posts).orderBy(posts.content)
  expect(left.map(({ content, authorName, authorId }) => [content, authorName, authorId])).toEqual([
    ['of somebody else', 'Boss', boss.me.id],
    ['stands', 'Deleted user', null],
  ])
  expect(await db.select().from(users).where(eq(users.id, browser.me.id))).toEqual([])
  expect(await countSessions(db, browser.me.id)).toBe(0)
  expect(await actions(db)).toContain('account-deletion')
  await visitor().does(register, { input: { email: 'ana@example.org', password: 'abcdef' } })
})

test('a guest can delete the account at once, a person only soon after signing in, and an admin by no call [S15 PERM-04]', async () => {
  const { guest, person, admin, visitor, clock, db } = await startTestApp()
  const [passing, user, boss] = [await guest(), await person(), await admin()]
  clock.advance(16 * minute)
  const before = await stored(db)
  expect(await visitor().tries(deleteAccount)).toMatchObject({ status: 401 })
  expect(await user.tries(deleteAccount)).toMatchObject({ status: 403, code: 'SignInAgainToDeleteAccount' })
  expect(await boss.tries(deleteAccount)).toMatchObject({ status: 403, code: 'AdminStays' })
  expect(await stored(db)).toEqual(before)
  await passing.does(deleteAccount)
  expect(
    await db
      .select()
      .from(users)
      .where(and(eq(users.isAnonymous, true))),
  ).toEqual([])
})

test('the server reads the rights of a person again at each call [S4 PERM-10]', async () => {
  const { admin, db } = await startTestApp()
  const boss = await admin()
  expect((await boss.does(getMe)).isAdmin).toBe(true)
  await db.update(users).set({ isAdmin: false }).where(eq(users.id, boss.me.id))
  expect((await boss.does(getMe)).isAdmin).toBe(false)
  const refused = await boss.tries(createPost, { input: { content: 'a', authorName: 'b' } })
  expect(refused.status).toBe(403)
  expect(await actions(db)).toContain('admin-call-refused')
})

test('the first admin comes from the settings, once, and never by promoting somebody [S17 PERM-23]', async () => {
  const config = { adminEmail: 'boss@example.org', adminPassword: 'lamps and ink 9' }
  const { visitor, db } = await startTestApp({ config })
  const user = await visitor().does(login, {
    input: { email: 'boss@example.org', password: 'lamps and ink 9' },
  })
  expect(user.isAdmin).toBe(true)
  expect((await stored(db)).users).toHaveLength(1)
})

test('in demo mode a visitor signs in with the public defaults to an ordinary account, which nobody can change [S18 ONB-34]', async () => {
  const { visitor, db } = await startTestApp({ config: { demoMode: true } })
  const browser = visitor()
  const user = await browser.does(login, { input: demoAccount })
  expect(user.isAdmin).toBe(false)
  const before = await stored(db)
  expect((await browser.tries(changePassword, { input: { newPassword: 'mine now' } })).code).toBe(
    'DemoAccountStays',
  )
  expect((await browser.tries(deleteAccount)).code).toBe('DemoAccountStays')
  expect(await stored(db)).toEqual(before)
})
