import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { fuzz, type FuzzRequest } from '#server/testing/fuzz.ts'
import {
  administrator,
  makeDataFolder,
  removeDataFolder,
  startServer,
} from '../scripts/testing/running-server.ts'
import { inMegabytes } from './instance.ts'
import { atLeast, atMost, fact, printTable } from './table.ts'

const numRuns = Number(process.env['FUZZ_RUNS'] ?? 12_000)
const seed = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31))
const longestTurnMs = 50

const dataDir = await makeDataFolder()
const [turnsSocket, memorySocket] = [join(dataDir, 'loop-turns'), join(dataDir, 'used-memory')]
const server = await startServer({
  dataDir,
  settings: { NODE_ENV: 'production', LOOP_TURNS: turnsSocket, USED_MEMORY: memorySocket },
  command: [
    'node',
    '--expose-gc',
    '--import=./bench/loop-turns.ts',
    '--import=./bench/used-memory.ts',
    'server/main.ts',
  ],
})
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
try {
  let [warm, longest, slowest] = [0, 0, '']
  const { calls, counts } = await fuzz(
    {
      send: async (asked) => {
        let { answer, ms } = await send(asked)
        // A pause of the collector or the compiler does not come twice for the same request.
        for (let again = 0; again < 2 && ms > longestTurnMs; again++)
          ms = Math.min(ms, (await send(asked)).ms)
        if (ms > longest)
          [longest, slowest] = [ms, `${asked.method} ${asked.url.split('?')[0]!.slice(0, 80)}`]
        return answer
      },
      admin: administrator,
      afterEach: async (count) => {
        if (count === Math.floor(numRuns / 4)) warm = await usedBytes()
      },
    },
    { numRuns, seed },
  )
  const used = await usedBytes()
  const done = calls.filter(({ name }) => [...(counts.get(name)?.keys() ?? [])].some((each) => each < 300))
  const statuses = Map.groupBy(
    [...counts.values()].flatMap((each) => [...each]),
    ([status]) => status,
  )
  const ofStatus = [...statuses].map(([status, each]) => [status, each.reduce((sum, [, n]) => sum + n, 0)])
  const never = calls.filter((call) => !done.includes(call)).map(({ name }) => name)
  printTable(`Requests out of the description of the API, seed ${seed}`, [
    fact('requests, each answered as described', String(numRuns)),
    fact(
      'answers by status',
      ofStatus
        .toSorted()
        .map((each) => each.join(': '))
        .join(', '),
    ),
    atLeast('share of the calls that succeeded at least once', done.length / calls.length, 0.9),
    fact('calls that never succeeded', never.join(', ') || 'none'),
    atMost(`longest turn of the event loop, in CPU time: ${slowest}`, longest, longestTurnMs, 'ms'),
    fact('memory in use after a quarter of the requests', inMegabytes(warm)),
    atMost('growth of it until the end', (used / warm - 1) * 100, 20, '%'),
    fact('the process at the end', server.process.exitCode === null ? 'runs' : 'has ended'),
  ])
} finally {
  agent.destroy()
  await server.end('SIGTERM')
  await removeDataFolder(dataDir)
}

async function send({ method, url, headers, payload }: FuzzRequest) {
  const watch = connect(turnsSocket)
  await once(watch, 'data')
  const sent = request(`${server.url}${url}`, {
    method,
    agent,
    headers: { ...headers, ...(payload && { 'content-length': payload.length }) },
  })
  sent.end(payload)
  const [incoming] = (await once(sent, 'response')) as [IncomingMessage]
  const bytes = await buffer(incoming)
  watch.end()
  const ms = Number(await text(watch))
  return { answer: { status: incoming.statusCode!, headers: incoming.headers, bytes }, ms }
}

async function usedBytes(): Promise<number> {
  return Number(await text(connect(memorySocket)))
}
