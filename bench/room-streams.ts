import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { getMe } from '#contract/account/endpoints.ts'
import { inMegabytes, loadFromOtherCore, withInstance } from './instance.ts'
import { addPeople, addRooms, type Person, withDatabase, writePassage } from './rows.ts'
import type { Arrivals } from './stream-readers.ts'
import { atMost, fact, printTable, quantile } from './table.ts'

const streams = 5000
const passages = 20
const pauseMs = 1000
/** Between two requests of `/api/me`. */
const everyMs = 10

loadFromOtherCore()
await withInstance(async ({ url, dataDir, memory }) => {
  const { people, room } = await withDatabase(dataDir, async (db) => {
    const all = await addPeople(db, streams)
    const [id] = await addRooms(db, [all.slice(0, 1)])
    return { people: all, room: id! }
  })
  const writer = people[0]!
  const write = async (content: string) => {
    const sentAt = performance.timeOrigin + performance.now()
    await writePassage(url, writer, room, content)
    return sentAt
  }
  await write('The first passage.')
  // Requests before the first measurement, so that memory of the server's own start does not count for the streams.
  execFileSync('wrk', ['-t1', '-c32', '-d10s', '-H', `cookie: ${writer.cookie}`, `${url}${getMe.path}`])
  await wait(2000)

  const atRest = memory()
  const readers = fork('bench/stream-readers.ts')
  readers.send({ url, room, cookies: people.map((person) => person.cookie) })
  const [openedInMs] = (await once(readers, 'message')) as [number]
  await wait(10_000)
  const perStream = (memory() - atRest) / streams

  const sentAt: number[] = []
  const quiet = await askForMe(`${url}${getMe.path}`, writer, () => wait(10_000))
  const busy = await askForMe(`${url}${getMe.path}`, writer, async () => {
    for (let passage = 0; passage < passages; passage++) {
      sentAt.push(await write(`Line ${passage}. ${'It goes on for a while. '.repeat(8)}`.trim()))
      await wait(pauseMs)
    }
  })
  await wait(2000)
  readers.send('tell')
  const [{ arrivals, lost }] = (await once(readers, 'message')) as [{ arrivals: Arrivals[]; lost: number }]
  const after = memory()
  readers.kill()

  const whole = arrivals.filter(({ count }) => count === streams).length
  const toLast = arrivals.map(({ last }, n) => last - sentAt[n]!)
  printTable(`${streams.toLocaleString('en')} streams of as many people in one room`, [
    atMost('memory of each', perStream / 1024, 25, 'KB'),
    fact('memory of the server at rest and afterwards', `${inMegabytes(atRest)} and ${inMegabytes(after)}`),
    atMost('from send to the last of all readers, the slowest passage', Math.max(...toLast), 500, 'ms', 0),
    fact('from send to the last of all readers, median', `${quantile(toLast, 0.5).toFixed(0)} ms`),
    {
      name: 'passages that reached all',
      measured: `${whole}`,
      limit: `${passages}`,
      isKept: whole === passages && lost === 0,
    },
    atMost('/api/me meanwhile: p99', quantile(busy, 0.99), 50, 'ms'),
    fact('/api/me meanwhile: p50', `${quantile(busy, 0.5).toFixed(1)} ms`),
    fact('/api/me while nobody writes: p99', `${quantile(quiet, 0.99).toFixed(1)} ms`),
    fact('all open within', `${(openedInMs / 1000).toFixed(1)} s`),
  ])
})

/** Sends requests at fixed times during the work, and returns how long each answer took. */
async function askForMe(address: string, { cookie }: Person, meanwhile: () => Promise<unknown>) {
  const took: number[] = []
  const agent = new Agent({ keepAlive: true })
  const ask = async () => {
    const start = performance.now()
    const [response] = (await once(get(address, { agent, headers: { cookie } }), 'response')) as [
      IncomingMessage,
    ]
    await response.resume().toArray()
    if (response.statusCode !== 200) throw new Error(`${address} answered ${response.statusCode}.`)
    took.push(performance.now() - start)
  }
  const asked: Promise<void>[] = []
  const timer = setInterval(() => asked.push(ask()), everyMs)
  await meanwhile()
  clearInterval(timer)
  await Promise.all(asked)
  agent.destroy()
  return took
}
