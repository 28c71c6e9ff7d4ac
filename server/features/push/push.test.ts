import { eq, sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { changePassword, deleteAccount, login, logout } from '#contract/account/endpoints.ts'
import { endOtherSessions } from '#contract/account/sessions/endpoints.ts'
import { suspendPerson } from '#contract/account/suspensions/endpoints.ts'
import { deletePushDevice, getPushDevice, savePushDevice } from '#contract/push/endpoints.ts'
import { createPasswordReset, resetPassword } from '#contract/password-resets/endpoints.ts'
import { users } from '#server/features/account/index.ts'
import { contentOf } from '#server/testing/content.ts'
import { startTwoApps } from '#server/testing/messengers.ts'
import { claimsOf } from '#server/testing/push-server.ts'
import { startPushService } from '#server/testing/push-service.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { queuePush } from './index.ts'
import { takePushes } from './queries.ts'
import { pushDevices, pushes } from './schema.ts'

const hour = 60 * 60_000
/** A busy machine may be late by much. */
const patience = { timeout: 60_000 }
vi.setConfig({ testTimeout: 120_000 })

const settings = { limitsRates: false, publicOrigin: 'https://zimmer.example' }
const turn = { kind: 'turn', title: 'It is your turn in a room', path: '/zimmers', topic: 'room 1' }
type Options = Parameters<typeof startTestApp>[0]

async function start(options: Options = {}) {
  const service = await startPushService()
  const t = await startTestApp({ callOutgoing: service.callOutgoing, config: settings, ...options })
  const ana = await t.person({ email: 'ana@example.org', password: 'a first password' })
  const subscription = service.subscribe()
  await ana.does(savePushDevice, { input: subscription })
  const signInAgain = async () => {
    const other = t.visitor()
    const input = { email: 'ana@example.org', password: 'a first password' }
    other.user = (await other.does(login, { input })) as Client['user']
    return other
  }
  const push = (about: Partial<typeof turn> = {}) => queuePush(t.db, ana.me.id, { ...turn, ...about })
  const waiting = () => t.db.$count(pushes)
  const metrics = async () => (await t.request({ url: '/metrics' })).body
  return { ...t, service, ana, subscription, signInAgain, push, waiting, metrics }
}

test('a push reaches the device encrypted and signed, with title and kind and no text [REACH-07 S63]', async () => {
  const { service, ana, push, waiting, db } = await start()
  const { publicKey } = await ana.does(getPushDevice)
  expect(await push()).toBe(true)
  await expect.poll(() => service.received.length, patience).toBe(1)
  const [{ headers, body, content }] = service.received as [(typeof service.received)[number]]
  expect(content).toEqual(turn)
  expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'normal' })
  expect(Number(headers['ttl'])).toBeGreaterThan(11 * 3600)
  expect(Number(headers['ttl'])).toBeLessThanOrEqual(12 * 3600)
  expect(headers['topic']).toMatch(/^[\w-]{32}$/)
  const claims = claimsOf(headers)
  expect(claims).toMatchObject({ publicKey, aud: 'https://push.example', sub: 'https://zimmer.example' })
  // The library reads the clock of the machine.
  expect(Number(claims.exp)).toBeLessThanOrEqual(Date.now() / 1000 + 24 * 3600)
  expect(body.includes('turn')).toBe(false)
  expect(JSON.stringify(headers)).not.toContain('room 1')
  await expect.poll(waiting, patience).toBe(0)
  await expect.poll(async () => (await db.select().from(pushDevices))[0]!.lastSentAt, patience).not.toBeNull()
})

test('a person switches the pushes of a device on and off, and each session has its own device [REACH-07]', async () => {
  const { service, ana, subscription, signInAgain, push, db } = await start()
  const phone = await signInAgain()
  expect((await phone.does(getPushDevice)).endpoint).toBeNull()
  const ofPhone = service.subscribe()
  await phone.does(savePushDevice, { input: ofPhone })
  await phone.does(savePushDevice, { input: ofPhone })
  expect((await ana.does(getPushDevice)).endpoint).toBe(subscription.endpoint)
  await push()
  await expect.poll(() => service.received.length, patience).toBe(2)
  await ana.does(deletePushDevice)
  await ana.does(deletePushDevice)
  expect((await ana.does(getPushDevice)).endpoint).toBeNull()
  expect((await phone.does(getPushDevice)).endpoint).toBe(ofPhone.endpoint)
  expect(await db.$count(pushDevices)).toBe(1)
})

test('a new subscription takes the place of the old one, and nothing is sent to the old one [REACH-07]', async () => {
  const { service, ana, push, db } = await start()
  const newer = service.subscribe()
  await ana.does(savePushDevice, { input: newer })
  await push()
  await expect.poll(() => service.received.map(({ path }) => path), patience).toHaveLength(1)
  expect(newer.endpoint).toContain(service.received[0]!.path)
  expect(await db.$count(pushDevices)).toBe(1)
})

test('another person who signs in on a device takes it over, and gets no push of the person before [REACH-07]', async () => {
  const { service, ana, subscription, person, push, waiting, db } = await start()
  service.answer = (_request, response) => response.writeHead(503).end()
  await push()
  await expect.poll(() => service.received.length, patience).toBe(1)
  const ben = await person()
  await ben.does(savePushDevice, { input: subscription })
  expect(await waiting()).toBe(0)
  expect((await ana.does(getPushDevice)).endpoint).toBeNull()
  expect(await push()).toBe(false)
  expect(await queuePush(db, ben.me.id, turn)).toBe(true)
})

type World = Awaited<ReturnType<typeof start>>
const ends: [string, (world: World) => Promise<unknown>][] = [
  ['logs out', ({ ana }) => ana.does(logout)],
  ['ends the session on another device', async (t) => (await t.signInAgain()).does(endOtherSessions)],
  ['deletes the account', ({ ana }) => ana.does(deleteAccount)],
  [
    'is suspended',
    async ({ admin, ana }) => {
      const input = { reason: 'Unkind.', until: null, hidesTexts: false }
      await (await admin()).does(suspendPerson, { params: { id: ana.me.id }, input })
    },
  ],
  [
    'gets a new passcode by a link',
    async ({ admin, ana, visitor }) => {
      const { token } = await (await admin()).does(createPasswordReset, { params: { id: ana.me.id } })
      await visitor().does(resetPassword, { input: { token, newPassword: 'a second password' } })
    },
  ],
]
test.each(ends)(
  'when the person %s, the device and its pushes are gone [REACH-07 S23]',
  async (_what, end) => {
    const t = await start()
    t.service.answer = (_request, response) => response.writeHead(503).end()
    await t.push()
    await expect.poll(() => t.service.received.length, patience).toBe(1)
    await end(t)
    expect(await t.db.$count(pushDevices)).toBe(0)
    expect(await t.waiting()).toBe(0)
    expect(await t.push()).toBe(false)
  },
)

test('a new passcode keeps the device of its own session, and removes that of another [REACH-07 S14]', async () => {
  const { service, ana, subscription, signInAgain, push, db } = await start()
  const phone = await signInAgain()
  await phone.does(savePushDevice, { input: service.subscribe() })
  await ana.does(changePassword, { input: { newPassword: 'a second password' } })
  expect((await ana.does(getPushDevice)).endpoint).toBe(subscription.endpoint)
  expect(await db.$count(pushDevices)).toBe(1)
  await push()
  await expect.poll(() => service.received.length, patience).toBe(1)
})

test('other requests run between the pushes that are due at once, each of which is encrypted [REACH-07 S51]', async () => {
  const turns: number[] = []
  let turn = 0
  const count = () => void (isWatching && (turn++, setImmediate(count)))
  let isWatching = true
  const callOutgoing = async () => {
    turns.push(turn)
    return { status: 201, headers: {}, body: Buffer.alloc(0), isCut: false }
  }
  const { push, waiting } = await start({ callOutgoing })
  // The package for encryption is loaded.
  await push()
  await expect.poll(waiting, patience).toBe(0)
  count()
  await Promise.all(Array.from({ length: 20 }, (_, n) => push({ topic: `room ${n}` })))
  await expect.poll(waiting, patience).toBe(0)
  isWatching = false
  expect(turns).toHaveLength(21)
  expect(new Set(turns).size).toBe(21)
})

test.each([
  ['a user', 14 * 24, {}],
  ['a moderator', 12, { isModerator: true }],
  ['an admin', 12, { isAdmin: true }],
])(
  'a session of %s that ended by %i hours without use gets no push, and its device is removed [REACH-07 S22]',
  async (_who, hours, rights) => {
    const { service, clock, push, db } = await start()
    await db.update(users).set({ isAdmin: false, ...rights })
    clock.advance((hours + 1) * hour)
    await push()
    await expect.poll(() => db.$count(pushDevices), patience).toBe(0)
    expect(service.received).toEqual([])
  },
)

test.each([404, 410])('the answer %i of the push service removes the device [REACH-07]', async (status) => {
  const { service, ana, push, db, metrics } = await start()
  service.answer = (_request, response) => response.writeHead(status).end()
  await push()
  await expect.poll(() => db.$count(pushDevices), patience).toBe(0)
  expect((await ana.does(getPushDevice)).endpoint).toBeNull()
  await expect.poll(metrics, patience).toContain('zimmer_pushes_total{outcome="device-gone"} 1')
})

test.each([
  ['a status', '600'],
  ['a date', new Date('2025-06-10T12:10:00Z').toUTCString()],
])(
  'a push service that is busy is called again after %s of Retry-After, not before [REACH-07 R28]',
  async (_form, retryAfter) => {
    const { service, clock, push, db, waiting } = await start()
    service.answer = (_request, response) => response.writeHead(429, { 'retry-after': retryAfter }).end()
    await push()
    await expect.poll(() => service.received.length, patience).toBe(1)
    const due = async () => Date.parse((await db.select().from(pushes))[0]!.attemptAt) - clock.now().getTime()
    await expect.poll(due, patience).toBeGreaterThan(9 * 60_000)
    service.answer = (_request, response) => response.writeHead(201).end()
    clock.advance(601_000)
    await expect.poll(waiting, patience).toBe(0)
    expect(service.received).toHaveLength(2)
  },
)

test('a push that fails is tried again for 12 hours, then dropped and counted [REACH-07 R28]', async () => {
  const { service, clock, push, waiting, metrics } = await start()
  service.answer = (request) => void request.socket.destroy()
  await push()
  const begin = clock.now().getTime()
  for (let count = 1; count < 60 && (await waiting()) === 1; count++) {
    const before = service.received.length
    clock.advance(hour)
    await expect
      .poll(async () => service.received.length > before || (await waiting()) === 0, patience)
      .toBe(true)
  }
  expect(clock.now().getTime() - begin).toBeLessThan(14 * hour)
  expect(clock.now().getTime() - begin).toBeGreaterThan(10 * hour)
  await expect.poll(metrics, patience).toContain('zimmer_pushes_total{outcome="dropped"} 1')
})

test.each([302, 400, 403, 413])(
  'the refusal %i drops the push, and the device stays [REACH-07]',
  async (status) => {
    const { service, push, waiting, db } = await start()
    service.answer = (_request, response) =>
      response.writeHead(status, { location: 'http://127.0.0.1/inside' }).end()
    await push()
    await expect.poll(waiting, patience).toBe(0)
    expect(service.received).toHaveLength(1)
    expect(await db.$count(pushDevices)).toBe(1)
  },
)

test('a newer push takes the place of one that is being sent, and both arrive with one topic [REACH-07]', async () => {
  const { service, push, waiting } = await start()
  const held: (() => void)[] = []
  service.answer = (_request, response) => held.push(() => response.writeHead(201).end())
  await push()
  await expect.poll(() => service.received.length, patience).toBe(1)
  await push({ title: 'A room has ended' })
  service.answer = (_request, response) => response.writeHead(201).end()
  for (const finish of held) finish()
  await expect.poll(waiting, patience).toBe(0)
  expect(service.received.map(({ content }) => content!['title'])).toEqual([turn.title, 'A room has ended'])
  expect(new Set(service.received.map(({ headers }) => headers['topic'])).size).toBe(1)
})

test('a push of a process that was killed is sent by another one when its lease is over [REACH-07 R28]', async () => {
  const { service, clock, push, db, waiting, ana } = await start()
  service.answer = () => {}
  const taken = db.transaction(async (tx) => {
    await queuePush(tx, ana.me.id, turn)
    // As a process that is killed after this line.
    return takePushes(tx, 1)
  })
  expect(await taken).toHaveLength(1)
  expect(await takePushes(db, 1)).toEqual([])
  service.answer = (_request, response) => response.writeHead(201).end()
  clock.advance(61_000)
  await expect.poll(waiting, patience).toBe(0)
  expect(service.received).toHaveLength(1)
  expect(await push({ topic: 'room 2' })).toBe(true)
})

test('two processes send each of 40 pushes once [REACH-07 R28]', async (context) => {
  const service = await startPushService()
  const { person, db } = await startTwoApps('NOTIFY', context, settings, service)
  const ana = await person()
  await ana.does(savePushDevice, { input: service.subscribe() })
  const topics = Array.from({ length: 40 }, (_, n) => `room ${n}`)
  for (const topic of topics) await queuePush(db, ana.me.id, { ...turn, topic })
  await expect.poll(() => db.$count(pushes), patience).toBe(0)
  expect(service.received.map(({ content }) => content!['topic']).toSorted()).toEqual(topics.toSorted())
})

test('a slow push service does not delay the pushes of others [REACH-07 S59]', async () => {
  const { service, ana, push, waiting, person, db } = await start()
  const slow = `/${(await ana.does(getPushDevice)).endpoint!.split('/').at(-1)}`
  service.answer = ({ url }, response) => url !== slow && response.writeHead(201).end()
  for (const topic of ['1', '2', '3']) await push({ topic })
  await expect.poll(() => service.received.length, patience).toBe(3)
  const ben = await person()
  await ben.does(savePushDevice, { input: service.subscribe() })
  await queuePush(db, ben.me.id, turn)
  await expect.poll(() => service.received.length, patience).toBe(4)
  await expect.poll(waiting, patience).toBe(3)
})

test('guests have no device, and what is no subscription is refused and changes nothing [REACH-07 REACH-10 S59]', async () => {
  const { service, guest, ana, db } = await start()
  const visitor = await guest()
  const good = service.subscribe()
  expect(await visitor.tries(savePushDevice, { input: good })).toMatchObject({ status: 403 })
  const before = await contentOf(db)
  const wrong = [
    ...refusedEndpoints.map((endpoint) => ({ ...good, endpoint })),
    { ...good, p256dh: `B${'A'.repeat(86)}` },
    { ...good, p256dh: good.p256dh.slice(1) },
    { ...good, auth: 'short' },
  ]
  const accepted = []
  for (const input of wrong)
    if ((await ana.tries(savePushDevice, { input })).status !== 400) accepted.push(input)
  expect(accepted).toEqual([])
  expect(await contentOf(db)).toEqual(before)
})

const refusedEndpoints = [
  'push.example/1',
  'http://push.example/1',
  'ftp://push.example/1',
  'javascript:alert(1)',
  'https://push.example:8443/1',
  'https://ana@push.example/1',
  'https://ana:secret@push.example/1',
  'https://push.example/1#part',
  `https://push.example/${'a'.repeat(2000)}`,
  'https://localhost/1',
  'https://8.8.8.8/1',
  'https://127.0.0.1/1',
  'https://2130706433/1',
  'https://0x7f000001/1',
  'https://0177.0.0.1/1',
  'https://127.1/1',
  'https://169.254.169.254/latest',
  'https://[::1]/1',
  'https://[::ffff:127.0.0.1]/1',
  'https://[64:ff9b::7f00:1]/1',
  'https://[fd00:ec2::254]/1',
]

test('an endpoint is not called when it is given [REACH-10 S59]', async () => {
  const { service, waiting } = await start()
  await expect.poll(waiting, patience).toBe(0)
  expect(service.received).toEqual([])
})

test('a push that is older than 12 hours is not sent [REACH-07]', async () => {
  const { service, push, db, waiting } = await start()
  await db.transaction(async (tx) => {
    await queuePush(tx, (await tx.select().from(pushDevices))[0]!.userId, turn)
    await tx
      .update(pushes)
      .set({ giveUpAt: sql`app_now() - interval '1 second'` })
      .where(eq(pushes.topic, turn.topic))
  })
  await expect.poll(waiting, patience).toBe(0)
  expect(service.received).toEqual([])
  await push()
  await expect.poll(() => service.received.length, patience).toBe(1)
})
