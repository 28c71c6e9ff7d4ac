import { Client } from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createLog } from '#server/log.ts'
import { until } from '#server/testing/live-reader.ts'
import { messengers, redisIsMissing, startMessenger, startRedis } from '#server/testing/messengers.ts'
import type { Bus } from './bus.ts'
import { createNotifyBus } from './notify-bus.ts'
import { createRedisBus } from './redis-bus.ts'

const log = createLog('silent')

/** A bus with the numbers that were heard on it. */
function listenOn(bus: Bus) {
  const heard: number[] = []
  bus.subscribe((word) => void heard.push((word as { n: number }).n))
  onTestFinished(() => bus.close())
  return { bus, heard }
}

type Listening = ReturnType<typeof listenOn>

/** Waits until words of the one arrive at the other, and forgets them. */
async function untilConnected(from: Listening, to: Listening) {
  let n = -1
  await until(() => {
    from.bus.publish({ n: n-- })
    return to.heard.length > 0 || undefined
  })
  from.bus.publish({ n })
  await until(() => to.heard.includes(n) || undefined)
  from.heard.length = 0
  to.heard.length = 0
}

const numbers = Array.from({ length: 500 }, (_, i) => i + 1)

test.for(messengers)(
  '%s brings each word to every process once and in order, its own included [R8]',
  async (messenger, context) => {
    const busFor = await startMessenger(messenger, context)
    const [one, other] = [listenOn(busFor(inject('server'))), listenOn(busFor(inject('server')))]
    await untilConnected(one, other)
    await untilConnected(other, one)
    for (const n of numbers) one.bus.publish({ n })
    await until(() => other.heard.length >= numbers.length || undefined)
    one.bus.publish({ n: 501 })
    await until(() => other.heard.includes(501) || undefined)
    expect(one.heard).toEqual([...numbers, 501])
    expect(other.heard).toEqual([...numbers, 501])
  },
)

test('a word of somebody else who uses the same messenger is passed over, and those after it arrive', async () => {
  const [one, other] = [1, 2].map(() => listenOn(createNotifyBus({ connection: inject('server'), log })))
  await untilConnected(one!, other!)
  const stranger = new Client(inject('server'))
  await stranger.connect()
  onTestFinished(() => stranger.end())
  for (const text of ['hello', '', '{}', 'null', '{"from":1', '[1]'])
    await stranger.query("select pg_notify('zimmer_live', $1)", [text])
  one!.bus.publish({ n: 7 })
  await until(() => other!.heard.includes(7) || undefined)
  expect(other!.heard).toEqual([7])
})

test('words come again after the database has cut the connection that carried them', async () => {
  const [one, other] = [1, 2].map(() => listenOn(createNotifyBus({ connection: inject('server'), log })))
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

test('a Redis that is away fails nothing, the process itself still hears, and it is logged once until words come again', async (context) => {
  if (redisIsMissing) context.skip('redis-server is not installed')
  const redis = await startRedis()
  const lines: string[] = []
  const listening = createLog('info', { write: (line) => void lines.push(line) })
  const [one, other] = [1, 2].map(() => listenOn(createRedisBus({ url: redis.url, log: listening })))
  await untilConnected(one!, other!)
  await redis.stop()
  await until(() => lines.length >= 2 || undefined)
  for (const n of numbers) one!.bus.publish({ n })
  expect(one!.heard).toEqual(numbers)
  expect(other!.heard).toEqual([])
  await redis.start()
  await untilConnected(one!, other!)
  const told = lines.map((line) => (JSON.parse(line) as { msg: string }).msg).toSorted()
  const away = 'Redis is away: live words of other processes do not arrive'
  expect(told).toEqual([away, away, 'Redis is back', 'Redis is back'].toSorted())
})
