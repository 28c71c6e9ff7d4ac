import { expect, test } from 'vitest'
import { listFinishedRooms } from '#contract/rooms/endpoints.ts'
import { allowed, calls, expectSound } from '../testing/calls.ts'
import { startWorld, type World } from '../testing/world.ts'
import {
  type HostileRequest,
  hostileBodies,
  hostileRequests,
  otherCalls,
  otherHostileRequests,
} from '../testing/hostile-inputs.ts'
import { longestTurnOf } from '../testing/loop-turns.ts'
import type { Client } from '../testing/test-app.ts'

// The whole table, with each length that some field takes, is `npm run bench -- hostile-inputs`.
const longestTurnMs = 50

/** The requests that kept the thread busy for too long. */
async function slowOf(client: Client, requests: Iterable<HostileRequest>): Promise<string[]> {
  const slow: string[] = []
  for (const { what, ...request } of requests) {
    const ms = await longestTurnOf(() => answers(client, request), longestTurnMs)
    if (ms > longestTurnMs) slow.push(`${what}: ${ms.toFixed(0)} ms`)
  }
  return slow
}

async function answers(client: Client, { method, ...request }: Omit<HostileRequest, 'what'>) {
  const { statusCode, body } = await client.request({ method: method as 'GET', ...request })
  if (statusCode >= 500) throw new Error(`${method} ${request.url}: ${body}`)
}

const bodyLimitOf = ({ app }: World, row: (typeof calls)[number]) =>
  app.mounted.find(({ config }) => config.endpoint === row.endpoint)!.bodyLimit ?? 64 * 1024

test.each(calls.filter(({ endpoint }) => endpoint.input !== undefined))(
  'no body that $name is sent keeps the event loop busy for over 50 ms, accepted or refused [S51]',
  async (row) => {
    const world = await startWorld()
    const client = allowed(world, row)
    const bodies = hostileBodies(row, world, {
      bodyLimit: bodyLimitOf(world, row),
      lengths: [],
      isShort: true,
    })
    expect(await slowOf(client, bodies)).toEqual([])
  },
  120_000,
)

test('no header, address or search keeps the event loop busy for over 50 ms [S51]', async () => {
  const world = await startWorld()
  const visitor = world.visitor()
  const row = calls.find(({ endpoint }) => endpoint === listFinishedRooms)!
  const slow = await slowOf(visitor, hostileRequests(row, world, { bodyLimit: 0, lengths: [] }))
  for (const other of otherCalls) slow.push(...(await slowOf(visitor, otherHostileRequests(other))))
  expect(slow).toEqual([])
}, 120_000)

test.each([
  ['POST', '/api/pending-posts', 'content', { authorName: 'Ana' }],
  ['POST', '/api/pending-posts', 'authorName', { content: 'Hello' }],
  [
    'POST',
    '/api/onboarding/register',
    'writingSample',
    { name: 'Ana Lima', email: 'a@example.org', passcode: 'abc123' },
  ],
  ['POST', '/api/diary/save', 'content', { date: '2025-06-10' }],
  ['POST', '/api/calendar/save', 'note', { date: '2025-06-10' }],
] as const)(
  '%s %s with 31 marks in a row in %s is refused by a sentence for that field [S51]',
  async (method, url, field, rest) => {
    const { person } = await startWorld()
    const payload = { ...rest, [field]: `a${'\u0301\u0323'.repeat(15)}\u0327` }
    const answer = await (await person()).request({ method, url, payload })
    expectSound(answer)
    const error = 'Please use at most 30 combining marks in a row.'
    expect(answer.json()).toEqual({ code: 'InvalidInput', error, fields: { [field]: error } })
  },
)
