import type { RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { savePushDevice } from '#contract/push/endpoints.ts'
import { createOutgoing, type CallOutgoing } from '#server/platform/outgoing/outgoing.ts'
import { startPushService } from '#server/testing/push-service.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { queuePush } from './index.ts'
import { pushDevices, pushes } from './schema.ts'

/** A busy machine may be late by much. */
const patience = { timeout: 60_000 }
vi.setConfig({ testTimeout: 120_000 })

const turn = { kind: 'turn', title: 'It is your turn in a room', path: '/zimmers', topic: 'room 1' }
/** Calls the name of the endpoint at the port of the test. */
const toPort =
  (port: number, outgoing: CallOutgoing): CallOutgoing =>
  (call) =>
    outgoing({ ...call, url: call.url.replace('https://push.example', `http://push.example:${port}`) })

type Service = Awaited<ReturnType<typeof startPushService>>

async function start(postFor: (service: Service) => CallOutgoing = ({ callOutgoing }) => callOutgoing) {
  const service = await startPushService()
  const t = await startTestApp({ callOutgoing: postFor(service), config: { limitsRates: false } })
  const ana = await t.person()
  await ana.does(savePushDevice, { input: service.subscribe() })
  const outcomes = async () => {
    const { body } = await t.request({ url: '/metrics' })
    return [...body.matchAll(/^zimmer_pushes_total\{outcome="([\w-]+)"\} (\d+)$/gm)].map(
      ([, outcome, count]) => `${outcome} ${count}`,
    )
  }
  return { ...t, service, outcomes, push: () => queuePush(t.db, ana.me.id, turn) }
}

test.each([
  [['127.0.0.1']],
  [['8.8.8.8', '127.0.0.1']],
  [['10.1.2.3']],
  [['172.16.0.1']],
  [['192.168.1.1']],
  [['100.64.0.1']],
  [['169.254.169.254']],
  [['0.0.0.0']],
  [['::1']],
  [['::ffff:127.0.0.1']],
  [['::ffff:a9fe:a9fe']],
  [['::127.0.0.1']],
  [['64:ff9b::7f00:1']],
  [['2002:7f00:1::']],
  [['fe80::1']],
  [['fd00:ec2::254']],
])('an endpoint whose name leads to %j is not called [REACH-10 S59]', async (addresses) => {
  const { service, push, outcomes } = await start(({ port }) =>
    toPort(port, createOutgoing({ resolve: async () => addresses })),
  )
  await push()
  await expect.poll(outcomes, patience).toEqual(['postponed 1'])
  expect(service.received).toEqual([])
})

test('an endpoint whose name leads elsewhere at each look is called where the check was made [REACH-10 S59]', async () => {
  const answers = [['127.0.0.1'], ['127.0.0.9'], ['127.0.0.9']]
  const checked: string[] = []
  const { service, push, outcomes } = await start(({ port }) => {
    const outgoing = createOutgoing({
      resolve: async () => answers.shift() ?? [],
      mayCall: (address) => checked.push(address) > 0,
    })
    return toPort(port, outgoing)
  })
  await push()
  await expect.poll(outcomes, patience).toEqual(['sent 1'])
  expect(checked).toEqual(['127.0.0.1'])
  expect(service.received).toHaveLength(1)
})

test.each<[string, RequestListener, string]>([
  [
    'redirects inside',
    (_request, response) => response.writeHead(307, { location: '/inside' }).end(),
    'dropped',
  ],
  ['never answers', () => {}, 'postponed'],
  [
    'answers without an end',
    (_request, response) => {
      const chunk = Buffer.alloc(16 * 1024, 'a')
      const write = () => {
        while (!response.destroyed && response.write(chunk));
      }
      response.writeHead(201).on('drain', write)
      write()
    },
    'sent',
  ],
  [
    'answers a bomb',
    (_request, response) =>
      response.writeHead(201, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(64 * 1024 * 1024))),
    'sent',
  ],
  [
    'answers headers without an end',
    (request) => void request.socket.write(`HTTP/1.1 201 Created\r\nx: ${'a'.repeat(1024 * 1024)}`),
    'postponed',
  ],
  [
    'asks for a pause of centuries',
    (_request, response) => response.writeHead(503, { 'retry-after': '999999999' }).end(),
    'dropped',
  ],
])('a push service that %s is called once and bounded [REACH-10 S59]', async (_what, answer, outcome) => {
  const { service, push, outcomes, db } = await start()
  service.answer = answer
  const before = process.memoryUsage().rss
  await push()
  await expect.poll(outcomes, patience).toEqual([`${outcome} 1`])
  expect(service.received).toHaveLength(1)
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024)
  expect(await db.$count(pushDevices)).toBe(1)
  expect(await db.$count(pushes)).toBe(outcome === 'postponed' ? 1 : 0)
})
