import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Costs } from '../bench/scale/costs.ts'
import { assumptions, loadOf, processesFor, waitAt } from '../bench/scale/model.ts'
import { drawTables } from '../bench/scale/tables.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFile(join(root, path), 'utf8')
const measured = async () => JSON.parse(await read('bench/scale/costs.json')) as Costs

/** Each call takes the server and the database 100 µs and 50 µs, and sends, logs and stores 1,000 bytes. */
function evenCosts(): Costs {
  const cost = { serverUs: 100, databaseUs: 50, logBytes: 1000, storedBytes: 1000, answerBytes: 1000 }
  const nothing = { serverUs: 0, databaseUs: 0 }
  return {
    measuredOn: '2026-01-01',
    calls: Object.fromEntries(
      Object.keys(assumptions.callsOfPerson).map((call) => [call, cost]),
    ) as Costs['calls'],
    stream: { memoryBytes: 10_000, opening: nothing, second: nothing, eventUs: 0 },
    bus: { deliveryUs: 1, receiveUs: 10 },
  }
}

test('the tables of docs/scale.md are those of the measured costs and the assumptions', async () => {
  const page = await read('docs/scale.md')
  expect(page).toBe(drawTables(page, await measured()))
})

test('the load of a million people is that of the calls of a day in its busiest hour', () => {
  const load = loadOf(1_000_000, evenCosts())
  // 200,000 people a day, 8 messages each, a tenth of them in an hour.
  expect(load.perSecond.sendMessage).toBeCloseTo((200_000 * 8 * 0.1) / 3600)
  // 40 minutes of each, a tenth of them in an hour.
  expect(load.streams).toBeCloseTo((200_000 * 40 * 0.1) / 60)
  expect(load.serverCores).toBeCloseTo((load.calls * 100) / 1e6)
  expect(load.databaseCores).toBeCloseTo((load.calls * 50) / 1e6)
  // 4 diary saves, 8 messages, 4 passages, a tenth of a post and a twentieth of a sign-in.
  expect(load.databaseCoresOfChanges).toBeCloseTo((((200_000 * 16.15 * 0.1) / 3600) * 50) / 1e6, 6)
  const { stream, ...costs } = evenCosts()
  const polled = { ...costs, stream: { ...stream, second: { serverUs: 0, databaseUs: 10 } } }
  expect(loadOf(1_000_000, polled).databaseCoresOfStreams).toBeCloseTo((load.streams * 10) / 1e6, 6)
  expect(load.storedBytesOfYear).toBeCloseTo(((load.calls * 3600) / 0.1) * 365 * 1000, -9)
})

test('more processes help no more when each of them is busy with the messages of all', () => {
  const load = loadOf(1_000_000, evenCosts())
  expect(processesFor({ ...load, serverCores: 1.2, busCoresOfEachProcess: 0.2, streamBytes: 0 })).toBe(3)
  expect(processesFor({ ...load, serverCores: 1.2, busCoresOfEachProcess: 0.6, streamBytes: 0 })).toBe(
    Infinity,
  )
})

test('the simulated queue waits as long as an M/M/1 queue does', () => {
  const costs = evenCosts()
  const load = loadOf(1_000_000, costs)
  for (const share of [0.5, 0.8]) {
    const expected = (0.1 / (1 - share)) * Math.log(share / 0.01)
    expect(waitAt(share, load, costs) / expected).toBeGreaterThan(0.9)
    expect(waitAt(share, load, costs) / expected).toBeLessThan(1.1)
  }
})
