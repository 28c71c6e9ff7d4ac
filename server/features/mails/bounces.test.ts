import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { changePassword, deleteAccount } from '#contract/account/endpoints.ts'
import {
  confirmEmail,
  getOwnEmail,
  listBouncedAddresses,
  requestConfirmation,
} from '#contract/mails/endpoints.ts'
import { requestPasswordReset } from '#contract/password-resets/endpoints.ts'
import { createLog } from '#server/log.ts'
import { auditLog } from '#server/platform/schema.ts'
import { contentOf } from '#server/testing/content.ts'
import { holdLocks, untilLockWaits } from '#server/testing/lock-waits.ts'
import { mailConfig, tokenIn } from '#server/testing/mails.ts'
import { startTwoApps } from '#server/testing/messengers.ts'
import {
  countWaiting,
  makeFriends,
  awayMailsTo,
  startFriendsWithMail,
  until,
} from '#server/testing/away-notifications.ts'
import { type ReceivedMail, refusal } from '#server/testing/smtp-server.ts'
import { startRelay } from '#server/testing/smtp.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { mailBounces, mails } from './schema.ts'

const secret = 'a-secret-of-thirty-two-letters-_'
const config = { mailBounceSecret: secret }
const json = { 'content-type': 'application/json' }
const message = { 'content-type': 'message/rfc822' }

type App = Pick<Awaited<ReturnType<typeof startTestApp>>, 'request'>

/** Friends whose relay may report, and no mail that waits. */
async function start() {
  const t = await startFriendsWithMail({}, { config })
  await until(() => t.db.$count(mails), 0)
  return t
}

/** What a relay does that knows the secret. */
async function report(t: App, payload: object | string, { path = secret, headers = {} } = {}) {
  const { statusCode, body } = await t.request({
    method: 'POST',
    url: `/api/mail-bounces/${path}`,
    headers: { ...(typeof payload === 'string' ? message : json), ...headers },
    payload,
  })
  return { status: statusCode, body }
}

const bounceOf = (email: string, kind = 'permanent') => ({
  bounces: [{ email, kind, reason: `550 <${email}>: No such mailbox` }],
})

/** What Postfix writes to the sender of a mail that came back. */
const reportOn = ({ source }: Pick<ReceivedMail, 'source'>, { status = '5.1.1', action = 'failed' } = {}) =>
  [
    'Return-Path: <>',
    'From: MAILER-DAEMON@mx.example (Mail Delivery System)',
    'Subject: Undelivered Mail Returned to Sender',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status;',
    '\tboundary="9B0C61FE2A.1717/mx.example"',
    '',
    'This is a MIME-encapsulated message.',
    '',
    '--9B0C61FE2A.1717/mx.example',
    'Content-Description: Notification',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    'Your message could not be delivered.',
    '',
    '--9B0C61FE2A.1717/mx.example',
    'Content-Description: Delivery report',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example',
    '',
    'Final-Recipient: rfc822; somebody@elsewhere.example',
    `Action: ${action}`,
    `Status: ${status}`,
    'Diagnostic-Code: smtp; 550 5.1.1',
    '    No such mailbox',
    '',
    '--9B0C61FE2A.1717/mx.example',
    'Content-Description: Undelivered Message Headers',
    'Content-Type: text/rfc822-headers',
    '',
    source.slice(0, source.indexOf('\r\n\r\n')),
    '',
    '--9B0C61FE2A.1717/mx.example--',
    '',
  ].join('\r\n')

test('a mail that came back ends notices to its address, its person reads so, and confirms the address again [REACH-06 REACH-08]', async () => {
  const t = await startFriendsWithMail({}, { config })
  await t.writes(t.ana, t.ben, 'hello')
  t.wait()
  const mail = await t.relay.mailTo('ben@example.org', 'Ana Lima')
  expect((await t.ben.does(getOwnEmail)).bounce).toBeUndefined()
  expect(await report(t, reportOn(mail))).toEqual({ status: 200, body: '{"ok":true}' })
  expect(await t.ben.does(getOwnEmail)).toEqual({
    address: 'ben@example.org',
    isConfirmed: true,
    bounce: { kind: 'permanent', at: expect.stringMatching(/^2025-06-10T12:30:/) },
  })

  await t.writes(t.ana, t.ben, 'hello again')
  await t.writes(t.ben, t.ana, 'hello back')
  expect(await countWaiting(t.db)).toBe(1)
  t.wait()
  await t.relay.mailTo('ana@example.org', 'Ben Ode')
  await t.ben.does(changePassword, {
    input: { currentPassword: 'secret pass 1', newPassword: 'another pass' },
  })
  await t.visitor().does(requestPasswordReset, { input: { email: 'ben@example.org' } })
  await t.relay.mailTo('ben@example.org', 'Set a new passcode')
  await until(() => t.db.$count(mails), 0)
  expect(awayMailsTo(t.relay.received, 'ben@example.org')).toHaveLength(1)
  expect(t.relay.received.filter(({ source }) => source.includes('was changed'))).toEqual([])

  t.relay.received.length = 0
  await t.ben.does(requestConfirmation)
  const token = tokenIn(await t.relay.mailTo('ben@example.org', 'Confirm'))
  await t.visitor().does(confirmEmail, { input: { token } })
  expect((await t.ben.does(getOwnEmail)).bounce).toBeUndefined()
  await t.writes(t.ana, t.ben, 'a third text')
  t.wait()
  await t.relay.mailTo('ben@example.org', 'Ana Lima')
})

test('a mail that waits when another one comes back is not sent [REACH-06]', async () => {
  const t = await startFriendsWithMail({}, { config })
  await t.writes(t.ana, t.ben, 'hello')
  expect(await countWaiting(t.db)).toBe(1)
  expect(await report(t, bounceOf('Ben@example.org '))).toMatchObject({ status: 200 })
  await t.writes(t.ben, t.ana, 'hello')
  t.wait()
  await t.relay.mailTo('ana@example.org', 'Ben Ode')
  await until(() => countWaiting(t.db), 0)
  await until(() => t.db.$count(mails), 0)
  expect(awayMailsTo(t.relay.received, 'ben@example.org')).toEqual([])
})

test('a link for a new passcode that was refused for now is sent again to an address from which a mail came back [REACH-02 REACH-06]', async () => {
  let isOpen = false
  const t = await startFriendsWithMail(
    { answer: () => (isOpen ? undefined : refusal(451, 'Later')) },
    { config },
  )
  await report(t, bounceOf('ben@example.org'))
  await t.db.delete(mails)
  await t.visitor().does(requestPasswordReset, { input: { email: 'ben@example.org' } })
  await until(() => t.db.$count(mails, eq(mails.failure, '451 Later')), 1)
  isOpen = true
  t.clock.advance(61_000)
  const mail = await t.relay.mailTo('ben@example.org', 'Set a new passcode')
  expect(mail.to).toEqual(['ben@example.org'])
})

test('admins see the addresses with what the relay said, the last one first, and the log and the audit log have none [REACH-06 S49]', async () => {
  const lines: string[] = []
  const logger = createLog('trace', { write: (line) => void lines.push(line) })
  const t = await startFriendsWithMail({}, { config, logger })
  const boss = await t.admin()
  expect(await boss.does(listBouncedAddresses)).toEqual([])
  await report(t, bounceOf('ben@example.org'))
  t.clock.advance(1000)
  const ofAna = { email: 'ana@example.org', kind: 'complaint', reason: 'abuse\r\n\u202efeed' }
  await report(t, { bounces: [ofAna, { email: 'ben@example.org', kind: 'complaint' }] })
  const [first, second] = await boss.does(listBouncedAddresses)
  expect(first).toMatchObject({
    userId: t.ana.me.id,
    address: ofAna.email,
    kind: 'complaint',
    reason: 'abuse feed',
  })
  expect(second).toMatchObject({ kind: 'permanent', reason: '550 <ben@example.org>: No such mailbox' })
  expect(await boss.does(listBouncedAddresses, { query: { limit: '1' } })).toEqual([first])
  const entries = await t.db.select().from(auditLog).where(eq(auditLog.action, 'mail-bounced'))
  expect(entries.map(({ subjectId, details }) => [subjectId, details])).toEqual([
    [t.ben.me.id, null],
    [t.ana.me.id, null],
  ])
  expect(lines.join('')).toContain('"reported":2,"ended":1')
  expect(lines.filter((line) => /mail-bounces/.test(line)).join('')).toContain('/api/mail-bounces/:secret')
  for (const hidden of ['ana@', 'ben@', secret]) expect(lines.join('')).not.toContain(hidden)
})

test('a report about an unknown address gets the answer of a known one, and changes nothing [REACH-06 S6]', async () => {
  const t = await start()
  const before = await contentOf(t.db)
  const unknown = await report(t, bounceOf('nobody@example.org'))
  const temporary = await report(t, bounceOf('ben@example.org', 'temporary'))
  expect(await contentOf(t.db)).toEqual(before)
  expect([unknown, temporary, await report(t, bounceOf('ben@example.org'))]).toEqual(
    Array(3).fill({ status: 200, body: '{"ok":true}' }),
  )
})

test('without the setting, and with another secret, the address does not exist [REACH-06 S6 S52]', async () => {
  const unknown = { status: 404, body: '{"code":"NotFound","error":"This does not exist."}' }
  const without = await startTestApp()
  expect(await report(without, bounceOf('ana@example.org'))).toEqual(unknown)
  const t = await start()
  const before = await contentOf(t.db)
  for (const path of [
    '',
    'x',
    secret.slice(1),
    `${secret}x`,
    secret.toUpperCase(),
    'ä',
    `${'x'.repeat(200)}`,
  ])
    expect([path, await report(t, bounceOf('ben@example.org'), { path })]).toEqual([path, unknown])
  // A body of any size and kind is not read.
  const headers = { 'content-type': 'a/b' }
  expect(await report(t, 'x'.repeat(200_000), { path: 'wrong', headers })).toEqual(unknown)
  expect(await contentOf(t.db)).toEqual(before)
})

test.each<[what: string, status: number, payload: object | string, headers?: Record<string, string>]>([
  ['a list', 400, '[]', json],
  ['no JSON', 400, '{', json],
  ['an unknown kind', 400, bounceOf('ben@example.org', 'other')],
  ['an entry too many', 400, { bounces: Array(101).fill(bounceOf('ben@example.org').bounces[0]) }],
  ['a body without an end', 413, 'x'.repeat(128 * 1024 + 1)],
  ['another media type', 415, 'x', { 'content-type': 'text/plain' }],
  ['an empty message', 200, ''],
  ['a message that is no report', 200, 'From: ana@example.org\r\nTo: desk@zimmer.example\r\n\r\nHello'],
  [
    'a report without parts',
    200,
    'Content-Type: multipart/report; report-type=delivery-status; boundary=a\r\n\r\n--a--',
  ],
  [
    'a report with signs that repeat',
    200,
    `Content-Type: multipart/report;${' boundary'.repeat(10_000)}\r\n\r\n`,
  ],
])('%s ends no mails and is answered %i [REACH-06 S51]', async (_what, status, payload, headers = {}) => {
  const t = await start()
  const before = await contentOf(t.db)
  const begin = performance.now()
  expect(await report(t, payload, { headers })).toMatchObject({ status })
  expect(performance.now() - begin).toBeLessThan(10_000)
  expect(await contentOf(t.db)).toEqual(before)
})

test('a message that anybody can write ends no mails: it needs the Message-ID of a mail to this address [REACH-06 S59]', async () => {
  const t = await startFriendsWithMail({}, { config })
  await t.writes(t.ana, t.ben, 'hello')
  t.wait()
  const { source } = await t.relay.mailTo('ben@example.org', 'Ana Lima')
  await until(() => t.db.$count(mails), 0)
  const before = await contentOf(t.db)
  const forged = [
    source.replace(/^To: .*$/m, 'To: ana@example.org'),
    source.replace(/^(Message-ID:\s+<[\da-f-]+)\.[\da-f]+@/im, `$1.${'0'.repeat(32)}@`),
    source.replace(/^(Message-ID:\s+<[\da-f-]+)\.[\da-f]+@/im, '$1@'),
    source.replace(/^Message-ID:/im, 'Message-Name:'),
  ]
  for (const each of forged) {
    expect(each).not.toBe(source)
    expect(await report(t, reportOn({ source: each }))).toMatchObject({ status: 200 })
  }
  for (const kind of [
    { action: 'delayed' },
    { action: 'delivered', status: '2.0.0' },
    // The server gave up, the mailbox is full, the relay is on a list, the text is refused.
    { status: '4.4.7' },
    { status: '5.2.2' },
    { status: '5.7.1' },
    { status: '5.6.0' },
  ])
    expect(await report(t, reportOn({ source }, kind))).toMatchObject({ status: 200 })
  expect(await contentOf(t.db)).toEqual(before)
  await report(t, reportOn({ source }))
  expect(await t.db.$count(mailBounces)).toBe(1)
})

test('a caller who guesses the secret is slowed down by address [REACH-06 S47]', async () => {
  const relay = await startRelay()
  const t = await startTestApp({ config: { ...mailConfig(relay.url), ...config, limitsRates: true } })
  const guess = async () => {
    const url = '/api/mail-bounces/wrong'
    return (await t.request({ method: 'POST', url, remoteAddress: '203.0.113.9', payload: {} })).statusCode
  }
  for (let n = 0; n < 300; n++) expect(await guess()).toBe(404)
  expect(await guess()).toBe(429)
})

test('two processes that get one report at once note it once, and neither mails the person [REACH-06 R6 R28]', async (context) => {
  const relay = await startRelay()
  const t = await startTwoApps('NOTIFY', context, { limitsRates: false, ...mailConfig(relay.url), ...config })
  const { ana, ben, writes, wait } = await makeFriends(t)
  await writes(ana, ben, 'hello')
  wait()
  const mail = await relay.mailTo('ben@example.org', 'Ana Lima')
  const other = { request: (options: Parameters<App['request']>[0]) => t.other.inject(options) }
  const both = [t, other, t, other].map((at) => report(at, reportOn(mail)))
  expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(await t.db.$count(auditLog, eq(auditLog.action, 'mail-bounced'))).toBe(1)
  await writes(ana, ben, 'hello again')
  await writes(ben, ana, 'hello back')
  wait()
  await relay.mailTo('ana@example.org', 'Ben Ode')
  await until(() => t.db.$count(mails), 0)
  expect(awayMailsTo(relay.received, 'ben@example.org')).toHaveLength(1)
})

test('a report and the deletion of the account do not block each other, and nothing stays [REACH-06 R6 S15]', async () => {
  const t = await startFriendsWithMail({}, { config })
  const release = await holdLocks(t.db, sql`select 1 from users for update`)
  const deletion = t.ben.tries(deleteAccount)
  await untilLockWaits(t.db)
  const reported = report(t, bounceOf('ben@example.org'))
  await untilLockWaits(t.db, 2)
  await release()
  expect([(await deletion).status, (await reported).status]).toEqual([200, 200])
  expect(await t.db.$count(mailBounces)).toBe(0)
})
