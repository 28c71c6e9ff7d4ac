import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { changePassword, deleteAccount, getMe, login } from '#contract/account/endpoints.ts'
import { getConfig } from '#contract/app/endpoints.ts'
import { accents } from '#contract/instance/accents.ts'
import { changeInstanceSettings } from '#contract/instance/endpoints.ts'
import { listUnsentMails, requestConfirmation, retryMail } from '#contract/mails/endpoints.ts'
import { requestPasswordReset } from '#contract/password-resets/endpoints.ts'
import { createLog } from '#server/log.ts'
import { auditLog } from '#server/platform/schema.ts'
import { contentOf } from '#server/testing/content.ts'
import { refusal, textsOf } from '#server/testing/smtp-server.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { purgeMails } from './queries.ts'
import { mails } from './schema.ts'
import { startWithMail } from '#server/testing/mails.ts'

const minute = 60_000
const hour = 60 * minute

/** Resolves when the queue has this many rows that match. The sender looks every second. */
async function untilRows(
  t: { db: Awaited<ReturnType<typeof startTestApp>>['db'] },
  where: string,
  count: number,
) {
  await expect
    .poll(async () => (await t.db.execute(sql.raw(`select 1 from mails where ${where}`))).rowCount)
    .toBe(count)
}

test('a mail leaves once, in the look of the page, without pictures, and is removed [REACH-01 REACH-06 R28]', async () => {
  const t = await startWithMail()
  const mail = await t.relay.mailTo(t.email)
  await untilRows(t, 'true', 0)
  expect(mail).toMatchObject({ from: 'desk@zimmer.example', to: [t.email] })
  const only = (name: string) => mail.headers.get(name)?.join('|')
  expect(only('from')).toBe('The Lamp House <desk@zimmer.example>')
  expect(only('to')).toBe(t.email)
  expect(only('subject')).toBe('Confirm your email address for The Lamp House')
  expect(only('message-id')).toMatch(/^<[0-9a-f-]{36}\.[0-9a-f]{32}@zimmer\.example>$/)
  expect(only('auto-submitted')).toBe('auto-generated')
  const { text, html } = textsOf(mail)
  for (const part of [text, html]) {
    expect(part).toContain('Is this your address?')
    expect(part).toMatch(/https:\/\/zimmer\.example\/mail#[\w-]{43}/)
    expect(part).toContain('sent by The Lamp House (https://zimmer.example)')
  }
  expect(html).toContain('Z<span class="lamp"')
  expect(html).not.toMatch(/<img|<script|url\(|https?:\/\/(?!zimmer\.example)/)
  expect(await t.visitor().does(getConfig)).toMatchObject({ sendsMail: true })
})

test('a mail has the accent colour of the instance by day and by night [INST-01]', async () => {
  const t = await startWithMail()
  const colours = (html: string) => [...new Set(html.match(/(?<=[: ])#\w{6}/g))]
  const first = colours(textsOf(await t.relay.mailTo(t.email)).html)
  const boss = await t.admin()
  await boss.does(changeInstanceSettings, { input: { base: null, accent: 'iris' } })
  await t.person({ email: 'ben@example.org' })
  const second = colours(textsOf(await t.relay.mailTo('ben@example.org')).html)
  const { day, night } = accents.lamp
  const old = [day.lamp, night.lamp, night.onLamp]
  expect(first).toEqual(expect.arrayContaining([...old, day.onLamp]))
  expect(second.filter((colour) => old.includes(colour))).toEqual([])
  const { iris } = accents
  expect(second).toEqual(expect.arrayContaining([iris.day.lamp, iris.night.lamp, iris.night.onLamp]))
})

test('without SMTP_URL nothing is queued, and no page learns of mails [REACH-01]', async () => {
  const t = await startTestApp({ config: { limitsRates: false } })
  const ana = await t.person({ email: 'ana@example.org' })
  await ana.does(requestConfirmation)
  await ana.does(changePassword, { input: { newPassword: 'another pass' } })
  await t.visitor().does(requestPasswordReset, { input: { email: 'ana@example.org' } })
  expect(await t.db.$count(mails)).toBe(0)
  expect(await t.visitor().does(getConfig)).not.toHaveProperty('sendsMail')
})

test('a mail is queued in the transaction of its cause: a failed change queues none [REACH-06 R28]', async () => {
  const t = await startWithMail()
  await t.confirm()
  await t.db.execute(
    sql`create function fail() returns trigger language plpgsql as $$ begin raise 'cut off'; end $$`,
  )
  await t.db.execute(sql`create trigger cut_off before insert on mails for each row execute function fail()`)
  const before = await contentOf(t.db)
  const change = { input: { newPassword: 'another pass' } }
  expect((await t.ana.tries(changePassword, change)).status).toBe(500)
  expect(await contentOf(t.db)).toEqual(before)
  await t.db.execute(sql`drop trigger cut_off on mails`)
  await t.ana.does(changePassword, change)
  await t.relay.mailTo(t.email, 'was changed')
})

test('a relay that refuses for now gets the same mail again, later and later, with the same Message-ID [REACH-06]', async () => {
  const ids: string[] = []
  const t = await startWithMail({
    answer: ({ headers }) => {
      ids.push(...headers.get('message-id')!)
      return ids.length < 3 ? refusal(451, 'Try again later') : undefined
    },
  })
  for (const [attempts, minutes] of [
    [1, 1],
    [2, 2],
  ]) {
    await untilRows(t, `attempts = ${attempts} and failure = '451 Try again later' and failed_at is null`, 1)
    const [{ next } = { next: '' }] = await t.db.select({ next: mails.attemptAt }).from(mails)
    const wait = Date.parse(next) - t.clock.now().getTime()
    expect(wait).toBeGreaterThan(minutes! * minute - 5000)
    expect(wait).toBeLessThanOrEqual(minutes! * minute)
    t.clock.advance(minutes! * minute)
  }
  await t.relay.mailTo(t.email)
  await untilRows(t, 'true', 0)
  expect(ids).toHaveLength(3)
  expect(new Set(ids).size).toBe(1)
})

test('after two days without success the mail waits for an admin, who sends it again [REACH-06 R28]', async () => {
  let isOpen = false
  const t = await startWithMail({
    answer: () => (isOpen ? undefined : refusal(452, `No room\r\n\u202efor this`)),
  })
  const boss = await t.admin({ email: 'boss@example.org' })
  await untilRows(t, 'attempts = 1 and failure is not null', 2)
  await t.db.delete(mails).where(eq(mails.userId, boss.me.id))
  expect(await boss.does(listUnsentMails)).toEqual([])
  t.clock.advance(48 * hour)
  await untilRows(t, 'failed_at is not null', 1)
  await boss.does(login, { input: { email: 'boss@example.org', password: 'a long admin password' } })
  const [unsent] = await boss.does(listUnsentMails)
  expect(unsent).toMatchObject({ kind: 'confirmation', address: t.email })
  expect(unsent!.failure).toMatch(/^452 No room/)
  expect(unsent!.failure).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
  isOpen = true
  await boss.does(retryMail, { params: { id: unsent!.id } })
  await t.relay.mailTo(t.email)
  await untilRows(t, 'true', 0)
  expect(await boss.does(listUnsentMails)).toEqual([])
  expect(await boss.tries(retryMail, { params: { id: unsent!.id } })).toMatchObject({
    status: 404,
    code: 'MailNotFound',
  })
  expect(await t.db.$count(auditLog, eq(auditLog.action, 'mail-retried'))).toBe(1)
})

test('after a stop of three days a mail of before is not sent by itself: it waits for an admin, who sends it [REACH-06 R28]', async () => {
  let isOpen = false
  const t = await startWithMail({ answer: () => (isOpen ? undefined : refusal(451, 'Try again later')) })
  const boss = await t.admin({ email: 'boss@example.org' })
  await untilRows(t, 'attempts = 1 and failure is not null', 2)
  isOpen = true
  t.clock.advance(72 * hour)
  await untilRows(t, 'failed_at is not null', 2)
  expect(t.relay.received).toEqual([])
  await boss.does(login, { input: { email: 'boss@example.org', password: 'a long admin password' } })
  const unsent = await boss.does(listUnsentMails)
  const ofAna = unsent.find(({ address }) => address === t.email)!
  expect(ofAna.failure).toContain('waited for more than two days')
  await boss.does(retryMail, { params: { id: ofAna.id } })
  await t.relay.mailTo(t.email)
})

test.each([
  [
    'the address',
    {
      onRcptTo: (_a: unknown, _s: unknown, done: (e: Error) => void) => done(refusal(550, 'No such mailbox')),
    },
  ],
  ['the text', { answer: () => refusal(554, 'No such mailbox') }],
])('a relay that refuses %s for good gets the mail once [REACH-06]', async (_what, options) => {
  const t = await startWithMail(options)
  await untilRows(t, "failed_at is not null and attempts = 1 and failure like '55_ No such mailbox%'", 1)
  expect(t.relay.received).toEqual([])
})

test('the address of a mail that a relay refuses stands in no line of the log [REACH-06 S49]', async () => {
  const lines: string[] = []
  const logger = createLog('trace', { write: (line) => void lines.push(line) })
  const onRcptTo = ({ address }: { address: string }, _s: unknown, done: (e: Error) => void) =>
    done(refusal(550, `<${address}>: Recipient address rejected`))
  const t = await startWithMail({ onRcptTo }, { logger })
  await untilRows(t, "failure like '%<ana@example.org>%'", 1)
  await expect.poll(() => lines.join('')).toMatch(/"step":"RCPT TO","responseCode":550/)
  expect(lines.join('')).not.toContain('ana@')
})

test('a mail is tried again whose acknowledgement is lost, and both copies have one Message-ID [REACH-06 R28]', async () => {
  const seen: string[] = []
  const t = await startWithMail({
    answer: ({ headers }) => {
      seen.push(...headers.get('message-id')!)
      if (seen.length > 1) return undefined
      // The relay has the text, and its process ends before the acknowledgement.
      t.relay.cut()
      return new Promise<void>(() => {})
    },
  })
  await untilRows(t, 'attempts = 1 and failure is not null', 1)
  t.clock.advance(minute)
  await t.relay.mailTo(t.email)
  await untilRows(t, 'true', 0)
  expect(seen).toEqual([seen[0], seen[0]])
})

test('a mail that was accepted is not sent again by the same process when its row could not be removed [REACH-06 R28]', async () => {
  const gate = Promise.withResolvers<void>()
  const t = await startWithMail({
    onMailFrom: (_address, _session, done) => void gate.promise.then(() => done()),
  })
  await t.db.execute(
    sql`create function fail() returns trigger language plpgsql as $$ begin raise 'cut off'; end $$`,
  )
  await t.db.execute(sql`create trigger cut_off before delete on mails for each row execute function fail()`)
  gate.resolve()
  await t.relay.mailTo(t.email)
  await untilRows(t, "failure = 'The server could not handle this mail.'", 1)
  await t.db.execute(sql`drop trigger cut_off on mails`)
  t.clock.advance(minute)
  await untilRows(t, 'true', 0)
  expect(t.relay.received).toHaveLength(1)
})

test('a mail to a deleted account is not sent, and the others are [REACH-06 S15]', async () => {
  const t = await startWithMail({
    answer: ({ to }) => (to[0] === 'ana@example.org' ? refusal(451, 'Later') : undefined),
  })
  await untilRows(t, 'attempts = 1 and failure is not null', 1)
  await t.ana.does(deleteAccount)
  expect(await t.db.$count(mails)).toBe(0)
  await t.person({ email: 'ben@example.org' })
  await t.relay.mailTo('ben@example.org')
  expect((await t.ana.tries(getMe)).status).toBe(401)
})

test('only the newest 500 mails that failed are kept, each for 30 days [REACH-06]', async () => {
  const t = await startTestApp()
  await t.db.execute(sql`
    insert into mails (id, kind, created_at, attempt_at, give_up_at, failed_at)
    select gen_random_uuid(), 'confirmation', app_now(), app_now(), app_now(), app_now() - make_interval(mins => n)
    from generate_series(1, 505) n`)
  await t.db.execute(sql`
    insert into mails (id, kind, created_at, attempt_at, give_up_at)
    values (gen_random_uuid(), 'confirmation', app_now(), app_now() + interval '1 year', app_now())`)
  await purgeMails(t.db)
  expect(await t.db.$count(mails)).toBe(501)
  t.clock.advance(31 * 24 * hour)
  await purgeMails(t.db)
  expect(await t.db.$count(mails)).toBe(1)
})
