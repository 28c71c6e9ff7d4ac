import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { changePassword, getMe } from '#contract/account/endpoints.ts'
import {
  createPasswordReset,
  requestPasswordReset,
  resetPassword,
} from '#contract/password-resets/endpoints.ts'
import { users } from '#server/features/account/index.ts'
import { startWithMail, tokenIn } from '#server/testing/mails.ts'
import { auditLog } from '#server/platform/schema.ts'
import { contentOf } from '#server/testing/content.ts'
import { textsOf } from '#server/testing/smtp-server.ts'
import type { Client } from '#server/testing/test-app.ts'

const minute = 60_000
const newPassword = 'remembered pass'

/** Ana with a confirmed address, who has forgotten her password. */
async function start() {
  const t = await startWithMail()
  await t.confirm()
  const { relay, email, visitor } = t
  const request = (input = email, client: Client = visitor()) =>
    client.tries(requestPasswordReset, { input: { email: input } })
  let mailed = 0
  return {
    ...t,
    request,
    /** Asks for a link, and returns its token from the mail. */
    async link() {
      mailed++
      const isHere = () =>
        relay.received.filter(({ source }) => source.includes('/reset#') || source.includes('/reset='))
          .length >= mailed
      expect((await request()).status).toBe(200)
      await relay.until(isHere)
      return tokenIn(relay.received.at(-1)!)
    },
    use: (token: string, password = newPassword) =>
      visitor().tries(resetPassword, { input: { token, newPassword: password } }),
    /** Resolves when every mail of the queue was sent or dropped. */
    async queueIsEmpty() {
      await expect.poll(async () => (await contentOf(t.db))['mails']!.length).toBe(0)
    },
  }
}

test('a person sets a new passcode by a mailed link, once; all sessions end, and a mail says so [REACH-02 S13 S23]', async () => {
  const { link, use, ana, signsIn, password, relay, email, db } = await start()
  const token = await link()
  expect(JSON.stringify(await contentOf(db))).not.toContain(token)
  expect(await use(token)).toMatchObject({ status: 200, body: { ok: true } })
  expect((await ana.tries(getMe)).status).toBe(401)
  expect([await signsIn(password), await signsIn(newPassword)]).toEqual([false, true])
  const notice = textsOf(await relay.mailTo(email, 'was changed')).text
  expect(notice).toContain('changed on 10 June 2025')
  expect(notice).toContain('https://zimmer.example/reset')
  expect(await use(token, 'once more pass')).toMatchObject({ status: 404, code: 'PasswordResetNotFound' })
  expect(await signsIn(newPassword)).toBe(true)
  expect(await db.$count(auditLog, eq(auditLog.action, 'password-reset'))).toBe(1)
})

test('for every address the answer is the same, and the work is one row; only a confirmed address gets a mail [REACH-02 REACH-03 S11]', async () => {
  const t = await start()
  await t.person({ email: 'unconfirmed@example.org' })
  await t.relay.mailTo('unconfirmed@example.org')
  await t.queueIsEmpty()
  const statements: string[][] = []
  const query = t.db.pool.query.bind(t.db.pool)
  const received = t.relay.received.length
  const answers = []
  for (const address of [t.email, 'unconfirmed@example.org', 'nobody@example.org', t.email.toUpperCase()]) {
    const list: string[] = []
    statements.push(list)
    t.db.pool.query = ((...args: Parameters<typeof query>) => {
      const [first] = args as unknown as [string | { text: string }]
      const text = typeof first === 'string' ? first : first.text
      if (text.startsWith('insert into "mails"')) list.push(text)
      return query(...args)
    }) as typeof query
    answers.push(await t.request(address))
  }
  t.db.pool.query = query
  for (const { status, body } of answers) expect([status, body]).toEqual([200, { ok: true }])
  expect(statements).toEqual(Array.from({ length: 4 }, () => [statements[0]![0]]))
  expect(statements[0]).toHaveLength(1)
  await t.queueIsEmpty()
  const later = t.relay.received.slice(received)
  expect(later.map(({ to }) => to)).toEqual([[t.email], [t.email]])
})

test('a link is good for 30 minutes [REACH-02]', async () => {
  const { link, use, clock } = await start()
  const [first, second] = [await link(), await link()]
  clock.advance(29 * minute)
  expect((await use(first)).status).toBe(200)
  clock.advance(2 * minute)
  expect((await use(second)).code).toBe('PasswordResetNotFound')
})

test('nobody makes a link void by asking for another, and the use of one ends all [REACH-02]', async () => {
  const { link, use, request } = await start()
  const first = await link()
  await request()
  const second = await link()
  expect((await use(first)).status).toBe(200)
  expect((await use(second, 'another pass')).code).toBe('PasswordResetNotFound')
})

test('a mailed link does not replace that of an admin, and either ends the other [REACH-02 INST-17]', async () => {
  const { link, use, ana, admin } = await start()
  const boss = await admin({ email: 'boss@example.org' })
  const { token } = await boss.does(createPasswordReset, { params: { id: ana.me.id } })
  const mailed = await link()
  expect((await use(token)).status).toBe(200)
  expect((await use(mailed, 'another pass')).code).toBe('PasswordResetNotFound')
})

test('a change of the password, and the right of an admin, make a link void; its use changes nothing [REACH-02 S60]', async () => {
  const { link, use, ana, db } = await start()
  const token = await link()
  await db.update(users).set({ isAdmin: true }).where(eq(users.id, ana.me.id))
  const before = await contentOf(db)
  expect((await use(token)).code).toBe('PasswordResetNotFound')
  expect(await contentOf(db)).toEqual(before)
  await db.update(users).set({ isAdmin: false }).where(eq(users.id, ana.me.id))
  await ana.does(changePassword, { input: { newPassword: 'own new pass' } })
  expect((await use(token)).code).toBe('PasswordResetNotFound')
})

test('an admin and the demo account get no link [REACH-02 S18 S60]', async () => {
  const { request, ana, db, relay, email, queueIsEmpty } = await start()
  for (const rights of [{ isAdmin: true }, { isAdmin: false, isDemo: true }]) {
    await db.update(users).set(rights).where(eq(users.id, ana.me.id))
    expect((await request()).status).toBe(200)
    await queueIsEmpty()
  }
  expect(relay.received.filter(({ to }) => to.includes(email))).toHaveLength(1)
})

test('of several uses of a link at once one counts [REACH-02 R6]', async () => {
  const { link, use, signsIn } = await start()
  const token = await link()
  const passwords = Array.from({ length: 5 }, (_, i) => `pass number ${i}`)
  const answers = await Promise.all(passwords.map((password) => use(token, password)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404, 404])
  const winner = passwords[answers.findIndex(({ status }) => status === 200)]!
  expect(await signsIn(winner)).toBe(true)
})

test('a weak passcode is refused, and the link stays good [REACH-02 S13]', async () => {
  const { link, use } = await start()
  const token = await link()
  expect(await use(token, 'abc12')).toMatchObject({ status: 400 })
  expect((await use(token)).status).toBe(200)
})

test('an email address gets three links in 30 minutes from all callers, and an address of the internet asks five times in ten minutes [REACH-02 S47]', async () => {
  const t = await startWithMail({}, { config: { limitsRates: true } })
  const ask = async (remoteAddress: string, email: string) =>
    (await t.request({ method: 'POST', url: requestPasswordReset.path, remoteAddress, payload: { email } }))
      .statusCode
  for (const known of [t.email, 'nobody@example.org']) {
    for (let i = 0; i < 3; i++) expect(await ask(`203.0.113.${i}`, known)).toBe(200)
    expect(await ask('203.0.113.9', known)).toBe(429)
  }
  t.clock.advance(30 * minute)
  for (let i = 0; i < 5; i++) expect(await ask('198.51.100.7', `nobody${i}@example.org`)).toBe(200)
  expect(await ask('198.51.100.7', t.email)).toBe(429)
  expect(await ask('198.51.100.8', t.email)).toBe(200)
})
