import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { changePassword, deleteAccount, login, register } from '#contract/account/endpoints.ts'
import { confirmEmail, getOwnEmail, requestConfirmation } from '#contract/mails/endpoints.ts'
import { emails } from '#server/features/account/index.ts'
import { contentOf } from '#server/testing/content.ts'
import { textsOf } from '#server/testing/smtp-server.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { purgeMailLinks } from './links.ts'
import { mailLinks, mails } from './schema.ts'
import { startWithMail, tokenIn } from '#server/testing/mails.ts'

const minute = 60_000
const day = 24 * 60 * minute

test('a person who signs up gets a link that confirms the address, without a session [REACH-03]', async () => {
  const t = await startWithMail()
  expect(await t.ana.does(getOwnEmail)).toEqual({ address: t.email, isConfirmed: false })
  const token = tokenIn(await t.relay.mailTo(t.email, 'Confirm'))
  expect(JSON.stringify(await contentOf(t.db))).not.toContain(token)
  expect(await t.visitor().does(confirmEmail, { input: { token } })).toEqual({ ok: true })
  expect(await t.ana.does(getOwnEmail)).toEqual({ address: t.email, isConfirmed: true })
  expect(await t.db.$count(mailLinks)).toBe(0)
})

test('a used, expired, unknown or other link confirms nothing, and the answers are alike [REACH-03 S57]', async () => {
  const t = await startWithMail()
  const token = tokenIn(await t.relay.mailTo(t.email))
  await t.visitor().does(confirmEmail, { input: { token } })
  const ben = await t.person({ email: 'ben@example.org' })
  const expired = tokenIn(await t.relay.mailTo('ben@example.org'))
  await t.db.update(mailLinks).set({ purpose: 'reset' })
  const before = await contentOf(t.db)
  const answers = []
  for (const tried of ['', 'a'.repeat(43), token, expired])
    answers.push(await t.visitor().tries(confirmEmail, { input: { token: tried } }))
  for (const { status, body } of answers) expect([status, body]).toEqual([404, answers[0]!.body])
  expect(await contentOf(t.db)).toEqual(before)
  await t.db.update(mailLinks).set({ purpose: 'confirmation' })
  t.clock.advance(7 * day + minute)
  expect(await t.visitor().tries(confirmEmail, { input: { token: expired } })).toMatchObject({
    code: 'ConfirmationNotFound',
  })
  const [row] = await t.db.select().from(emails).where(eq(emails.userId, ben.me.id))
  expect(row!.confirmedAt).toBeNull()
  await purgeMailLinks(t.db)
  expect(await t.db.$count(mailLinks)).toBe(0)
})

test('a link does not confirm an address that has changed since [REACH-03]', async () => {
  const t = await startWithMail()
  const token = tokenIn(await t.relay.mailTo(t.email))
  await t.db.update(emails).set({ address: 'other@example.org' })
  expect((await t.visitor().tries(confirmEmail, { input: { token } })).status).toBe(404)
  expect(await t.ana.does(getOwnEmail)).toEqual({ address: 'other@example.org', isConfirmed: false })
})

test('an account from before gets the link by a button, at most three times in 15 minutes, and none when it is confirmed [REACH-03]', async () => {
  const t = await startWithMail({}, { config: { limitsRates: true } })
  await t.relay.mailTo(t.email)
  const isSecond = () => t.relay.received.length === 2
  await t.ana.does(requestConfirmation)
  await t.relay.until(isSecond)
  const token = tokenIn(t.relay.received[1]!)
  await t.visitor().does(confirmEmail, { input: { token } })
  await t.ana.does(requestConfirmation)
  expect(await t.db.$count(mails)).toBe(0)
  await t.ana.does(requestConfirmation)
  expect(await t.ana.tries(requestConfirmation)).toMatchObject({ status: 429 })
  t.clock.advance(15 * minute)
  await t.ana.does(requestConfirmation)
})

test('an address gets at most five links a day, also by accounts that are deleted and made again [REACH-03 S47]', async () => {
  const t = await startWithMail({}, { config: { limitsRates: true } })
  const input = { email: 'stranger@example.org', password: 'a secret 1' }
  const sent = () => t.relay.received.filter(({ to }) => to[0] === input.email).length
  for (let n = 1; n <= 5; n++) {
    const browser = t.visitor()
    await browser.does(register, { input })
    await expect.poll(sent).toBe(n)
    await browser.does(deleteAccount)
  }
  const last = t.visitor()
  await last.does(register, { input })
  expect(await t.db.$count(mails)).toBe(0)
  expect(await last.tries(requestConfirmation)).toMatchObject({ status: 429 })
  expect(await t.db.$count(mails)).toBe(0)
  t.clock.advance(day)
  await last.does(login, { input })
  await last.does(requestConfirmation)
  await expect.poll(sent).toBe(6)
})

test('an address that is not confirmed gets no other mail [REACH-03]', async () => {
  const t = await startWithMail()
  await t.relay.mailTo(t.email)
  await t.ana.does(changePassword, { input: { newPassword: 'another pass' } })
  await expect.poll(() => t.db.$count(mails)).toBe(0)
  await t.ana.does(requestConfirmation)
  await t.relay.until(() => t.relay.received.length === 2)
  expect(t.relay.received.every((mail) => textsOf(mail).text.includes('Is this your address?'))).toBe(true)
})

test('the mail to an address that is not confirmed repeats nothing that the person typed [REACH-03 S59]', async () => {
  const t = await startWithMail()
  const names = { firstName: 'Buy', lastName: 'lamps-at.example', username: 'lamps.example' }
  await t.person({ email: 'victim@example.org', ...names })
  const mail = await t.relay.mailTo('victim@example.org')
  const { text, html } = textsOf(mail)
  for (const part of [text, html, mail.source]) expect(part).not.toMatch(/Buy|lamps/)
})

test('the link of a confirmation is for the account it was mailed to, and goes with it [REACH-03 S15]', async () => {
  const t = await startTestApp()
  const ana = await t.person()
  await t.db.execute(sql`
    insert into mail_links (token_hash, user_id, purpose, bound_to, expires_at)
    values ('x', ${ana.me.id}, 'confirmation', 'y', app_now())`)
  await t.db.execute(sql`delete from users where id = ${ana.me.id}`)
  expect(await t.db.$count(mailLinks)).toBe(0)
})
