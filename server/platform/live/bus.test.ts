import { Socket } from 'node:net'
import { Client } from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createLog } from '#server/log.ts'
import { until } from '#server/testing/stream-client.ts'
import { messengers, redisIsMissing, startMessenger, startRedis } from '#server/testing/messengers.ts'
import type { Bus } from './bus.ts'
import { createNotifyBus } from './notify-bus.ts'
import { createRedisBus } from './redis-bus.ts'

const log = createLog('silent')

/** A bus with the numbers of the messages that it received. */
function subscribeTo(bus: Bus) {
  const received: number[] = []
  bus.subscribe((message) => void received.push((message as { n: number }).n))
  onTestFinished(() => bus.close())
  return { bus, received }
}

type Subscribed = ReturnType<typeof subscribeTo>

/** Waits until messages of one bus arrive at the other, then clears the received numbers of both. */
async function untilConnected(from: Subscribed, to: Subscribed) {
  let n = -1
  await until(() => {
    from.bus.publish({ n: n-- })
    return to.received.length > 0 || undefined
  })
  from.bus.publish({ n })
  await until(() => to.received.includes(n) || undefined)
  from.received.length = 0
  to.received.length = 0
}

const numbers = Array.from({ length: 500 }, (_, i) => i + 1)

test.for(messengers)(
  'over %s every process receives each message once and in order, its own messages included [R8]',
  async (messenger, context) => {
    const { busFor } = await startMessenger(messenger, context)
    const [one, other] = [subscribeTo(busFor(inject('server'))), subscribeTo(busFor(inject('server')))]
    await untilConnected(one, other)
    await untilConnected(other, one)
    for (const n of numbers) one.bus.publish({ n })
    await until(() => other.received.length >= numbers.length || undefined)
    one.bus.publish({ n: 501 })
    await until(() => other.received.includes(501) || undefined)
    expect(one.received).toEqual([...numbers, 501])
    expect(other.received).toEqual([...numbers, 501])
  },
)

test('a message of another program on the same channel is ignored, and later messages arrive', async () => {
  const [one, other] = [1, 2].map(() => subscribeTo(createNotifyBus({ connection: inject('server'), log })))
  await untilConnected(one!, other!)
  const stranger = new Client(inject('server'))
  await stranger.connect()
  onTestFinished(() => stranger.end())
  for (const text of ['hello', '', '{}', 'null', '{"from":1', '[1]'])
    await stranger.query("select pg_notify('zimmer_live', $1)", [text])
  one!.bus.publish({ n: 7 })
  await until(() => other!.received.includes(7) || undefined)
  expect(other!.received).toEqual([7])
})

test('messages arrive again after the database has ended the connection of the bus', async () => {
  const [one, other] = [1, 2].map(() => subscribeTo(createNotifyBus({ connection: inject('server'), log })))
  await untilConnected(one!, other!)
  const admin = new Client(inject('server'))
  await admin.connect()
  onTestFinished(() => admin.end())
  const { rowCount } = await admin.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'zimmer live' and datname = current_database()",
  )
  expect(rowCount).toBeGreaterThanOrEqual(2)
  await untilConnected(one!, other!)
  await untilConnected(other!, one!)
})

test('messages arrive again after the server of the database stays silent without ending the connection [R8]', async () => {
  const sockets: Socket[] = []
  const stream = () => {
    const socket = new Socket()
    sockets.push(socket)
    return socket
  }
  const one = subscribeTo(createNotifyBus({ connection: inject('server'), log }))
  const other = subscribeTo(
    createNotifyBus({ connection: { ...inject('server'), stream }, log, answerWithinMs: 500 }),
  )
  await untilConnected(one, other)
  // From now on no byte of the server arrives.
  for (const socket of sockets) socket.pause()
  await untilConnected(one, other)
  expect(sockets.length).toBeGreaterThan(1)
})

test('while Redis is unavailable no call fails, a process receives its own messages, and one warning is logged', async (context) => {
  if (redisIsMissing) context.skip('redis-server is not installed')
  const redis = await startRedis()
  const lines: string[] = []
  const redisLog = createLog('info', { write: (line) => void lines.push(line) })
  const [one, other] = [1, 2].map(() => subscribeTo(createRedisBus({ url: redis.url, log: redisLog })))
  await untilConnected(one!, other!)
  await redis.stop()
  await until(() => lines.length >= 2 || undefined)
  for (const n of numbers) one!.bus.publish({ n })
  expect(one!.received).toEqual(numbers)
  expect(other!.received).toEqual([])
  await redis.start()
  await untilConnected(one!, other!)
  const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg).toSorted()
  const unavailable = 'Redis is unavailable: live messages of other processes do not arrive'
  expect(messages).toEqual(
    [unavailable, unavailable, 'Redis is available again', 'Redis is available again'].toSorted(),
  )
})
