import { expect, test, type TestContext } from 'vitest'
import { openPatientStore, startCounters } from '#server/testing/messengers.ts'
import { testClock } from '../clock.ts'
import { SharedCounters } from '../shared-counters.ts'
import type { SharedStore } from '../shared-store.ts'
import { type Owner, StreamLeases } from './stream-leases.ts'

const ana: Owner = { name: 'person ana', max: 6, isShared: true }
const street: Owner = { name: 'address 192.0.2.77', max: 50, isShared: true }

async function startTwo(context: TestContext) {
  const counted = (await startCounters('Redis', context))!
  const clock = testClock('2025-06-10T12:00:00Z')
  const startProcess = (name: string, store: SharedStore | undefined) =>
    new StreamLeases({
      shared: store && new SharedCounters(store, clock, Buffer.from('key')),
      processId: name,
    })
  return {
    ...counted,
    clock,
    first: startProcess('first', counted.shared),
    second: startProcess('second', await openPatientStore(counted.url)),
    startProcess,
  }
}

/** Acquires one lease at each process. */
const acquireAt = (processes: StreamLeases[]) =>
  Promise.all(processes.map((each) => each.acquire([ana, street])))

test('a person can open six streams at all processes together, even all at the same time [R12]', async (context) => {
  const { first, second } = await startTwo(context)
  const refused = await acquireAt(Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? first : second)))
  expect(refused.filter((owner) => owner === undefined)).toHaveLength(6)
  expect(new Set(refused)).toEqual(new Set([undefined, ana]))
})

test('after a stream has ended, its person can open another one at every process [R12]', async (context) => {
  const { first, second } = await startTwo(context)
  await acquireAt([first, first, first, second, second, second])
  expect(await second.acquire([ana, street])).toBe(ana)
  first.release([ana, street])
  await first.whenWritten()
  expect(await second.acquire([ana, street])).toBeUndefined()
  expect(await first.acquire([ana, street])).toBe(ana)
})

test('the leases of a killed process expire, and those of a running process do not [R12]', async (context) => {
  const { clock, first, second } = await startTwo(context)
  await acquireAt([first, first, first, second, second])
  for (let i = 0; i < 2; i++) {
    clock.advance(10_000)
    await second.renew()
  }
  const refused = await acquireAt(Array.from({ length: 5 }, () => second))
  expect(refused).toEqual([undefined, undefined, undefined, undefined, ana])
})

test('a correction of the clock of Redis by less than a second keeps the leases of other processes [R12 R20]', async (context) => {
  const { clock, first, second } = await startTwo(context)
  const aheadMs = clock.monotonicMs() - performance.now()
  await acquireAt(Array.from({ length: 6 }, () => first))
  clock.monotonicMs = () => performance.now() + aheadMs - 900
  expect(await second.acquire([ana, street])).toBe(ana)
})

test('after Redis has lost its data, the open streams count again once their leases are renewed [R12 R2]', async (context) => {
  const { client, first, second } = await startTwo(context)
  await acquireAt(Array.from({ length: 6 }, () => first))
  await client.flushall()
  await first.renew()
  expect(await second.acquire([ana, street])).toBe(ana)
})

test('Redis stores digests of persons and addresses, and deletes them after their streams have ended [R12]', async (context) => {
  const { client, first } = await startTwo(context)
  await acquireAt([first, first])
  const keys = await client.keys('zimmer:streams:*')
  expect(keys).toHaveLength(2)
  for (const key of keys) {
    expect(key).toMatch(/^zimmer:streams:[\w-]{43}$/)
    expect(await client.pttl(key)).toBeGreaterThan(0)
    expect(await client.pttl(key)).toBeLessThanOrEqual(15_000)
  }
  for (let i = 0; i < 2; i++) first.release([ana, street])
  await first.whenWritten()
  expect(await client.keys('zimmer:streams:*')).toEqual([])
})

test('without Redis a process counts its own streams [R12]', async (context) => {
  const { startProcess } = await startTwo(context)
  const alone = startProcess('alone', undefined)
  const refused = await acquireAt(Array.from({ length: 7 }, () => alone))
  expect(refused).toEqual([...Array.from({ length: 6 }, () => undefined), ana])
})
