import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { eq, sql } from 'drizzle-orm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { approvePost, createPost, submitPost } from '#contract/feed/endpoints.ts'
import { changePost, takeBackPost } from '#contract/feed/own/endpoints.ts'
import { changePostVisibility } from '#contract/feed/review/endpoints.ts'
import { changeRoomMembership, createRoom, sendPassage } from '#contract/rooms/endpoints.ts'
import {
  createWebhook,
  deleteWebhook,
  listWebhookAttempts,
  listWebhooks,
  retryDelivery,
} from '#contract/webhooks/endpoints.ts'
import type { WebhookEvent } from '#contract/webhooks/events.ts'
import { createOutgoing, type CallOutgoing } from '#server/platform/outgoing/outgoing.ts'
import { contentOf } from '#server/testing/content.ts'
import { type Messenger, startTwoApps } from '#server/testing/messengers.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { actions } from '../account/testing.ts'
import { purgeDeliveries, takeDueWebhooks } from './queries.ts'
import { webhookAttempts, webhookDeliveries, webhooks } from './schema.ts'

const minute = 60_000
const hour = 60 * minute
/** A busy machine may be late by much. */
const patience = { timeout: 60_000 }
vi.setConfig({ testTimeout: 180_000 })

interface Received {
  headers: IncomingHttpHeaders
  body: string
  message: { type: string; data: { title: string; url: string; authors: string[] } }
}

/** A real server on this machine, under a name that only the test resolves. */
async function startReceiver(
  answer: RequestListener = (_request, response) => response.writeHead(204).end(),
) {
  const receiver = { received: [] as Received[], answer, url: '' }
  const server = createServer(async (request, response) => {
    const body = await text(request)
    receiver.received.push({
      headers: request.headers,
      body,
      message: JSON.parse(body) as Received['message'],
    })
    receiver.answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  receiver.url = `http://receiver.invalid:${(server.address() as AddressInfo).port}/hook`
  return receiver
}

/** Calls this machine, which only tests do. */
const callOutgoing = createOutgoing({ resolve: async () => ['127.0.0.1'], mayCall: () => true })
const settings = { limitsRates: false, publicOrigin: 'https://zimmer.example' }

async function start(options: Parameters<typeof startTestApp>[0] = {}) {
  const t = await startTestApp({ callOutgoing, config: settings, ...options })
  const [ana, boss] = [await t.person({ firstName: 'Ana', lastName: 'Lima' }), await t.admin()]
  const hook = (url: string, ...events: WebhookEvent[]) =>
    boss.does(createWebhook, { input: { url, events: events.length === 0 ? ['post.published'] : events } })
  const publish = async (content: string) =>
    (await ana.does(submitPost, { input: { content, authorName: 'Ana Lima', type: 'premium' } })).id
  const attemptsOf = (id: string) => boss.does(listWebhookAttempts, { params: { id } })
  return { ...t, ana, boss, hook, publish, attemptsOf }
}
/** Never answers, and ends with the server. */
const waitForTheEnd: CallOutgoing = ({ signal }) =>
  new Promise((_settle, reject) => signal!.addEventListener('abort', () => reject(signal!.reason as Error)))
const titlesOf = ({ received }: { received: Received[] }) => received.map(({ message }) => message.data.title)

test('an admin makes a webhook, and a post that is published arrives with a signature that its secret confirms [INST-12]', async () => {
  const receiver = await startReceiver()
  const { boss, hook, publish, attemptsOf, db } = await start()
  const { secret, ...made } = await hook(receiver.url)
  expect(made).toMatchObject({ url: receiver.url, events: ['post.published'], waiting: 0 })
  const id = await publish('The well\n\nIt was deep.')
  await expect.poll(() => receiver.received.length, patience).toBe(1)
  const [{ headers, body, message }] = receiver.received as [Received]
  expect(message).toEqual({
    type: 'post.published',
    timestamp: expect.stringMatching(/^2025-06-10T/),
    data: { title: 'The well', url: `https://zimmer.example/posts/${id}`, authors: ['Ana Lima'] },
  })
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  expect(key).toHaveLength(32)
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
  const signature = createHmac('sha256', key).update(signed).digest('base64')
  expect(headers['webhook-signature']).toBe(`v1,${signature}`)
  expect(Number(headers['webhook-timestamp']) * 1000).toBeCloseTo(Date.parse('2025-06-10T12:00:00Z'), -5)
  await expect.poll(async () => (await attemptsOf(made.id)).length, patience).toBe(1)
  expect(await attemptsOf(made.id)).toMatchObject([
    {
      deliveryId: headers['webhook-id'],
      event: 'post.published',
      subjectId: id,
      status: 204,
      failure: null,
      isDelivered: true,
      nextAt: null,
    },
  ])
  expect(await boss.does(listWebhooks)).toEqual([made])
  expect(JSON.stringify(await contentOf(db))).not.toContain(secret.slice(6))
  await boss.does(deleteWebhook, { params: { id: made.id } })
  await publish('Another')
  expect(await db.$count(webhookDeliveries)).toBe(0)
  expect((await actions(db)).filter((action) => action.startsWith('webhook'))).toEqual([
    'webhook-created',
    'webhook-deleted',
  ])
})

test('a webhook learns of each post once, when it becomes public, and of no private text [INST-12 S63]', async () => {
  const receiver = await startReceiver()
  const { ana, boss, hook, publish, db } = await start()
  const earlier = await publish('Published before')
  await hook(receiver.url, 'post.published', 'story.finished')
  const { id } = await ana.does(submitPost, { input: { content: 'Waits', authorName: 'Night Owl' } })
  const hidden = { content: 'Hidden', authorName: 'Boss', postType: 'admin', isVisible: false } as const
  await boss.does(createPost, { input: hidden })
  await ana.does(createRoom, { input: aRoom({ name: 'A private room', isPublic: false }) })
  expect(await db.$count(webhookDeliveries)).toBe(0)
  await boss.does(approvePost, { params: { id } })
  await expect.poll(() => titlesOf(receiver), patience).toEqual(['Waits'])
  expect(receiver.received[0]!.message.data.authors).toEqual(['Night Owl'])
  expect(receiver.received[0]!.body).not.toContain(ana.me.id)
  const input = { content: 'Premium', authorName: 'Ana Lima', type: 'premium' } as const
  const { id: premium, createdAt: base } = await ana.does(submitPost, { input })
  // A post that is shown again or changed is no new one.
  for (const post of [earlier, id])
    for (const isVisible of [false, true])
      await boss.does(changePostVisibility, { params: { id: post }, input: { isVisible } })
  await ana.does(changePost, { params: { id: premium }, input: { content: 'Premium, changed', base } })
  expect(await db.$count(webhookDeliveries)).toBe(2)
  await expect.poll(() => receiver.received.length, patience).toBe(2)
})

test('a post that is hidden or taken back before it is sent is not sent [INST-12 S63]', async () => {
  const receiver = await startReceiver((_request, response) => response.writeHead(500).end())
  const { ana, boss, hook, publish, clock, db } = await start()
  const { id: webhook } = await hook(receiver.url)
  const ids = [await publish('Hidden later'), await publish('Taken back later')]
  await expect.poll(() => receiver.received.length, patience).toBe(2)
  await boss.does(changePostVisibility, { params: { id: ids[0]! }, input: { isVisible: false } })
  await ana.does(takeBackPost, { params: { id: ids[1]! } })
  clock.advance(hour)
  await expect.poll(async () => (await boss.does(listWebhooks))[0]!.waiting, patience).toBe(0)
  expect(receiver.received).toHaveLength(2)
  expect(await db.$count(webhookAttempts, eq(webhookAttempts.webhookId, webhook))).toBe(2)
})

test('a post that was hidden before it arrived is sent once it is shown again, with its id of before [INST-12 R28]', async () => {
  let isOpen = false
  const receiver = await startReceiver((_request, response) => response.writeHead(isOpen ? 204 : 500).end())
  const { boss, hook, publish, clock } = await start()
  await hook(receiver.url)
  const id = await publish('Hidden for an hour')
  const waiting = async () => (await boss.does(listWebhooks))[0]!.waiting
  await expect.poll(() => receiver.received.length, patience).toBe(1)
  const setVisible = (isVisible: boolean) =>
    boss.does(changePostVisibility, { params: { id }, input: { isVisible } })
  await setVisible(false)
  clock.advance(hour)
  await expect.poll(waiting, patience).toBe(0)
  isOpen = true
  await setVisible(true)
  await expect.poll(() => receiver.received.length, patience).toBe(2)
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  await expect.poll(waiting, patience).toBe(0)
  await setVisible(false)
  await setVisible(true)
  expect(await waiting()).toBe(0)
})

test('a public story that ends is sent once with the names of its authors [INST-12]', async () => {
  const receiver = await startReceiver()
  const { ana, hook, clock } = await start()
  await hook(receiver.url, 'story.finished')
  const { id } = await ana.does(createRoom, { input: aRoom({ name: 'The lamp', duration: 15 }) })
  await ana.does(sendPassage, { params: { id }, input: { content: 'It was late.' } })
  await ana.does(changeRoomMembership, { params: { id }, input: { signsWithName: true } })
  clock.advance(16 * minute)
  await expect.poll(() => receiver.received.length, patience).toBe(1)
  expect(receiver.received[0]!.message).toMatchObject({
    type: 'story.finished',
    data: { title: 'The lamp', url: `https://zimmer.example/stories/${id}`, authors: ['Ana Lima'] },
  })
  expect(receiver.received[0]!.body).not.toContain('It was late.')
})

test('a delivery is queued with its post, or not at all [INST-12 R28]', async () => {
  const { boss, ana, hook, db } = await start()
  await hook('https://reader.example/hook')
  await db.execute(sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
    create trigger refuse before insert on webhook_deliveries for each row execute function refuse()`)
  const input = { content: 'A poem', authorName: 'Ana Lima', type: 'premium' } as const
  const before = await contentOf(db)
  const answer = await ana.request({ method: 'POST', url: submitPost.path, payload: input })
  expect(answer.statusCode).toBe(500)
  expect(await contentOf(db)).toEqual(before)
  expect((await boss.does(listWebhooks))[0]!.waiting).toBe(0)
})

test('what fails is tried again for two days, then shown as failed, and an admin tries again [INST-12 R28]', async () => {
  const receiver = await startReceiver((_request, response) =>
    response.writeHead(307, { location: '/other' }).end(),
  )
  const { boss, hook, publish, attemptsOf, clock, db } = await start()
  const { id } = await hook(receiver.url)
  await publish('A poem')
  await expect.poll(() => receiver.received.length, patience).toBe(1)
  await expect.poll(async () => (await attemptsOf(id)).length, patience).toBe(1)
  const [first] = await attemptsOf(id)
  expect(first).toMatchObject({ status: 307, isDelivered: false, nextAt: expect.any(String) })
  for (let count = 2; (await boss.does(listWebhooks))[0]!.waiting === 1; count++) {
    clock.advance(6 * hour)
    await expect.poll(async () => (await attemptsOf(id)).length, patience).toBe(count)
  }
  const attempts = await attemptsOf(id)
  expect(attempts[0]!.nextAt).toBeNull()
  const span = Date.parse(attempts[0]!.at) - Date.parse(attempts.at(-1)!.at)
  expect(span).toBeGreaterThan(41 * hour)
  expect(span).toBeLessThan(48 * hour + minute)
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(receiver.received.every(({ headers }) => headers.host?.startsWith('receiver.invalid'))).toBe(true)
  receiver.answer = (_request, response) => response.writeHead(200).end('thanks')
  await boss.does(retryDelivery, { params: { id }, input: { deliveryId: first!.deliveryId } })
  await expect
    .poll(async () => (await attemptsOf(id))[0], patience)
    .toMatchObject({ status: 200, isDelivered: true })
  expect((await attemptsOf(id)).length).toBe(attempts.length + 1)
  clock.advance(8 * 24 * hour)
  await purgeDeliveries(db)
  expect(await db.$count(webhookDeliveries)).toBe(1)
})

test.each<[string, RequestListener | undefined, string]>([
  ['never answers', () => {}, 'There was no answer within five seconds.'],
  ['breaks the connection', (request) => void request.socket.destroy(), 'socket hang up'],
])(
  'a receiver that %s delays no other one, and the log says why it failed [INST-12 S59]',
  async (_what, answer, failure) => {
    const [bad, good] = [await startReceiver(answer), await startReceiver()]
    const { hook, publish, attemptsOf } = await start()
    const { id } = await hook(bad.url)
    await hook(good.url)
    const begun = performance.now()
    for (const title of ['One', 'Two']) await publish(title)
    await expect.poll(() => titlesOf(good), patience).toEqual(['One', 'Two'])
    await expect.poll(async () => (await attemptsOf(id)).length, patience).toBe(2)
    expect(performance.now() - begun).toBeLessThan(60_000)
    expect((await attemptsOf(id)).map((attempt) => attempt.failure)).toEqual([failure, failure])
  },
)

test('the log of a webhook has its last 100 attempts [INST-12]', async () => {
  const receiver = await startReceiver()
  const { hook, publish, attemptsOf, db } = await start()
  const { id } = await hook(receiver.url)
  await publish('A poem')
  await expect.poll(async () => (await attemptsOf(id)).length, patience).toBe(1)
  const { deliveryId } = (await attemptsOf(id))[0]!
  await db.execute(sql`
    insert into webhook_attempts (id, webhook_id, delivery_id, at, status)
    select overlay(gen_random_uuid()::text placing '7' from 15)::uuid, ${id}, ${deliveryId}, app_now() - make_interval(mins => n), 500
    from generate_series(1, 150) n`)
  await publish('Another')
  await expect.poll(() => db.$count(webhookAttempts), patience).toBe(100)
  expect((await attemptsOf(id)).slice(0, 2).map(({ status }) => status)).toEqual([204, 204])
})

test.each([
  ['is no address', 'reader.example'],
  ['is no http', 'ftp://reader.example/'],
  ['is a script', 'javascript:alert(1)'],
  ['has a password', 'https://ana:secret@reader.example/'],
  ['is this machine', 'http://127.0.0.1:3000/'],
  ['is this machine by name', 'http://localhost/'],
  ['is this machine in another notation', 'http://0x7f.1/'],
  ['is this machine in IPv6', 'http://[::ffff:127.0.0.1]/'],
  ['is the host of cloud metadata', 'http://169.254.169.254/latest'],
  ['is in a private network', 'https://10.0.0.8/hook'],
])('an admin makes no webhook whose address %s, and nothing changes [INST-12 S59]', async (_what, url) => {
  const { boss, db } = await start()
  const before = await contentOf(db)
  const answer = await boss.tries(createWebhook, { input: { url, events: ['post.published'] } })
  expect(answer).toMatchObject({ status: 400, fields: { url: expect.any(String) } })
  expect(await contentOf(db)).toEqual(before)
})

test('a name that leads into the own network is not called, and the log says so [INST-12 S59]', async () => {
  const receiver = await startReceiver()
  const { hook, publish, attemptsOf } = await start({
    callOutgoing: createOutgoing({ resolve: async () => ['127.0.0.1'] }),
  })
  const { id } = await hook(receiver.url)
  await publish('A poem')
  await expect.poll(async () => (await attemptsOf(id)).length, patience).toBe(1)
  expect(await attemptsOf(id)).toMatchObject([{ failure: 'The host is not in the public internet.' }])
  expect(receiver.received).toEqual([])
})

test('there are at most 10 webhooks, also when several are made at once, and a new one is not called [INST-12 R6]', async () => {
  const receiver = await startReceiver()
  const { boss, hook, db } = await start()
  for (let n = 0; n < 8; n++) await hook(receiver.url)
  const input = { url: receiver.url, events: ['post.published'] }
  const answers = await Promise.all(Array.from({ length: 4 }, () => boss.tries(createWebhook, { input })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 400, 400])
  expect(await db.$count(webhooks)).toBe(10)
  expect(receiver.received).toEqual([])
})

test('a delivery or webhook that is gone is refused, and nothing changes [INST-12]', async () => {
  const { boss, hook, db } = await start()
  const { id } = await hook('https://reader.example/hook')
  const gone = '01900000-0000-7000-8000-000000000000'
  const before = await contentOf(db)
  const input = { deliveryId: gone }
  expect(await boss.tries(retryDelivery, { params: { id }, input })).toMatchObject({ code: 'DeliveryGone' })
  for (const answer of [
    await boss.tries(retryDelivery, { params: { id: gone }, input }),
    await boss.tries(listWebhookAttempts, { params: { id: gone } }),
    await boss.tries(deleteWebhook, { params: { id: gone } }),
  ])
    expect(answer).toMatchObject({ status: 404, code: 'WebhookNotFound' })
  expect(await contentOf(db)).toEqual(before)
})

test('of many processes one takes a webhook, and another one when the lease of a dead one is over [INST-12 R28]', async () => {
  const { hook, publish, clock, db } = await start({ callOutgoing: waitForTheEnd })
  await hook('https://reader.example/hook')
  await publish('A poem')
  await expect.poll(async () => (await db.select().from(webhooks))[0]!.leasedUntil, patience).not.toBeNull()
  expect(await takeDueWebhooks(db, 60)).toEqual([])
  // The app does not look for webhooks between two statements of this process.
  clock.advance(61_000)
  const taken = await Promise.all(Array.from({ length: 10 }, () => takeDueWebhooks(db, 60)))
  expect(taken.flat().length).toBeLessThanOrEqual(1)
  expect(await takeDueWebhooks(db, 60)).toEqual([])
})

const messengers = ['NOTIFY'] as const satisfies Messenger[]
test.for(messengers)(
  'over %s two processes send each of 30 posts once [INST-12 R28]',
  async (messenger, context) => {
    const receiver = await startReceiver()
    const { person, admin } = await startTwoApps(messenger, context, settings, { callOutgoing })
    const [ana, boss] = [await person(), await admin()]
    await boss.does(createWebhook, { input: { url: receiver.url, events: ['post.published'] } })
    const titles = Array.from({ length: 30 }, (_, n) => `Poem ${n}`)
    for (const content of titles)
      await ana.does(submitPost, { input: { content, authorName: 'Ana', type: 'premium' } })
    await expect.poll(async () => (await boss.does(listWebhooks))[0]!.waiting, patience).toBe(0)
    expect(titlesOf(receiver).toSorted()).toEqual(titles.toSorted())
  },
)
