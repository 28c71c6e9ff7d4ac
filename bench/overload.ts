import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { pathOf } from '#contract/endpoint.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { livePath } from '#contract/live/events.ts'
import { sendPassage } from '#contract/rooms/endpoints.ts'
import type { Attack, Order } from './attacker.ts'
import { loadFromOtherCore, withInstance } from './instance.ts'
import { addPeople, addRooms, type Person, withDatabase } from './rows.ts'
import { atMost, fact, printTable, quantile } from './table.ts'

const capacityMs = 10_000
const overloadMs = 20_000
const callers = 64
const timesCapacity = 4
/** The server answers as before once so many answers in a row are right and fast. */
const inARow = 20
const fastMs = 200
/** The table is void when the load itself used its core for more than this share (see RESULTS.md). */
const maxClientShare = 0.9

loadFromOtherCore()
await withInstance(async ({ url, dataDir }) => {
  const { people, room } = await withDatabase(dataDir, async (db) => {
    const everybody = await addPeople(db, 200)
    return { people: everybody, room: (await addRooms(db, [everybody.slice(0, 2)]))[0]! }
  })
  await overload(url, people, 'alone')
  await overload(url, people, 'beside 500 sockets that never finish their headers', {
    kind: 'slow headers',
    sockets: 500,
  })
  await overload(url, people, 'beside 500 streams that nobody reads', {
    kind: 'unread streams',
    path: `${livePath}?rooms=${room}`,
    sockets: 500,
    passages: { path: pathOf(sendPassage, { params: { id: room } }), cookie: people[0]!.cookie },
  })
})

async function overload(url: string, people: Person[], beside: string, attack?: Attack) {
  const agent = new Agent({ keepAlive: true })
  let number = 0

  /** Submits a post as one of the people. Returns undefined when no answer came. */
  async function submit() {
    const start = performance.now()
    const headers = {
      cookie: people[number++ % people.length]!.cookie,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    }
    const call = request(url + submitPost.path, { agent, method: 'POST', headers })
    call.end(JSON.stringify({ content: `Post ${number}`, authorName: 'Ana' }))
    try {
      const [response] = (await once(call, 'response')) as [IncomingMessage]
      await response.resume().toArray()
      return { status: response.statusCode, ms: performance.now() - start }
    } catch {
      return undefined
    }
  }

  const cpuBefore = process.cpuUsage()
  const began = performance.now()
  const until = began + capacityMs
  let answered = 0
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (; performance.now() < until; answered++) await submit()
    }),
  )
  const perSecond = answered / (capacityMs / 1000)

  const attacker = attack && fork('bench/attacker.ts')
  const attacked = attacker && once(attacker, 'message')
  attacker?.send({ url, attack: attack!, forMs: overloadMs, address: '203.0.113.7' } satisfies Order)
  // The next call is sent when its time has come, whether the earlier ones were answered or not.
  const calls: ReturnType<typeof submit>[] = []
  const start = performance.now()
  for (let at = 0; at < overloadMs; at = performance.now() - start) {
    const due = (at / 1000) * perSecond * timesCapacity
    while (calls.length < due) calls.push(submit())
    await wait(5)
  }
  const end = performance.now()
  const { user, system } = process.cpuUsage(cpuBefore)
  const clientShare = (user + system) / 1000 / (end - began)
  for (let row = 0; row < inARow;) {
    const answer = await submit()
    row = answer?.status === 201 && answer.ms < fastMs ? row + 1 : 0
  }
  const recoveryMs = performance.now() - end
  const answers = await Promise.all(calls)
  const accepted = answers.flatMap((answer) => (answer?.status === 201 ? [answer.ms] : []))
  const refused = answers.filter((answer) => answer?.status === 503 || answer?.status === 429)
  const others = answers.length - accepted.length - refused.length
  printTable(`Submissions at ${timesCapacity} times the capacity for ${overloadMs / 1000} s, ${beside}`, [
    fact('capacity', `${perSecond.toFixed(0)} submissions/s`),
    fact('sent', `${(answers.length / (overloadMs / 1000)).toFixed(0)}/s`),
    fact('accepted', `${(accepted.length / (overloadMs / 1000)).toFixed(0)}/s`),
    fact('refused with 429 or 503', `${(refused.length / (overloadMs / 1000)).toFixed(0)}/s`),
    atMost('answered otherwise, or not at all', others, 0, '', 0),
    atMost('p99 of the accepted', quantile(accepted, 0.99), 1000, 'ms', 0),
    atMost('until the answers are as before', recoveryMs, 5000, 'ms', 0),
    atMost('share of the load in its core', clientShare, maxClientShare, '', 2),
    ...(attacked === undefined ? [] : [fact('answers to the attacker', JSON.stringify((await attacked)[0]))]),
  ])
  attacker?.kill()
  agent.destroy()
}
