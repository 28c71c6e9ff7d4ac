import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { getMe } from '#contract/account/endpoints.ts'
import { getDiary } from '#contract/diary/endpoints.ts'
import { getFeedDay } from '#contract/feed/reading/endpoints.ts'
import { livePath } from '#contract/live/events.ts'
import { createRoom, sendPassage } from '#contract/rooms/endpoints.ts'
import { openServedCaller, type RawCaller, unfinishedPost } from '#server/testing/raw-callers.ts'
import type { HttpClient } from '../scripts/testing/http-client.ts'
import { startInstance } from './instance.ts'
import { aPerson, fillDiary, openAll } from './people.ts'

const mebibyte = 1024 * 1024
/** The limit for the 99th percentile of other people's waits during an attack. On a machine at its limit they wait longer. */
const p99Ms = 200
const slowerThanBefore = 3

test('510 clients that send their text slowly do not delay other people, and are disconnected within 10 s [R14 R25]', async () => {
  const instance = await startInstance({ RATE_LIMITS: 'on' })
  const ana = await aPerson(instance.client())
  const others = await watchOthers(ana)
  const slow = await openAll(instance.server.url, 510, () => unfinishedPost)
  const start = performance.now()
  while (slow.some(({ socket }) => !socket.closed)) {
    if (performance.now() - start > 10_000) throw new Error('A slow caller is still there after 10 s.')
    for (const { socket } of slow) socket.write('x')
    await delay(500)
  }
  await others.areServed()
  for (const { said } of slow) expect(said).toMatch(/^HTTP\/1\.1 (408|429|503) /)
})

test('500 clients that never finish their headers do not delay other people, and are disconnected within 15 s [R13 R14]', async () => {
  const instance = await startInstance({ RATE_LIMITS: 'on' })
  const others = await watchOthers(await aPerson(instance.client()))
  const slow = await openAll(instance.server.url, 500, () => 'GET / HTTP/1.1\r\nhost: localhost\r\nx-slow: ')
  const start = performance.now()
  while (slow.some(({ socket }) => !socket.closed)) {
    if (performance.now() - start > 15_000) throw new Error('A slow caller is still there after 15 s.')
    for (const { socket } of slow) if (socket.writable) socket.write('x')
    await delay(500)
  }
  await others.areServed()
  for (const { said } of slow) expect(said).toMatch(/^HTTP\/1\.1 408 /)
})

test('500 streams whose readers take nothing of a story do not delay other people, and cost under 300 KiB each [R11 R24]', async () => {
  const instance = await startInstance()
  const ana = await aPerson(instance.client())
  const about = { name: 'Together', description: 'To the end', isPublic: true, invitedFriends: [] }
  const room = await ana.does(createRoom, { input: { ...about, duration: 120 } })
  const others = await watchOthers(await aPerson(instance.client(), 'ben@example.org'))
  const memory = watchMemory(instance.server.process.pid!)
  const ask = `GET ${livePath}?rooms=${room.id} HTTP/1.1\r\nhost: localhost\r\n\r\n`
  const readers: RawCaller[] = []
  while (readers.length < 500) {
    const open = async () => openServedCaller(instance.server.url, ask, 'event: ready')
    const opened = await Promise.all(Array.from({ length: 20 }, open))
    for (const { socket } of opened) socket.pause()
    readers.push(...opened)
  }
  for (let n = 0; n < 40; n++)
    await ana.does(sendPassage, { params: { id: room.id }, input: { content: 'x'.repeat(5000) } })
  await others.answered(500)
  expect(memory.grownBy()).toBeLessThan(150 * mebibyte)
  await others.areServed()
  for (const { socket } of readers) socket.destroy()
})

test('520 readers that take nothing of a long diary cost little memory and do not delay other people [R11 R24 R25]', async () => {
  const instance = await startInstance()
  const ana = await aPerson(instance.client())
  await fillDiary(ana, 300)
  const ben = await aPerson(instance.client(), 'ben@example.org')
  const others = await watchOthers(ben)
  const memory = watchMemory(instance.server.process.pid!)
  const ask = `GET /api/diary HTTP/1.1\r\nhost: localhost\r\ncookie: ${ana.cookie}\r\n\r\n`
  const readers = await openAll(instance.server.url, 520, () => ask, { reads: false })
  await others.answered(2000)
  expect(memory.grownBy()).toBeLessThan(150 * mebibyte)
  await others.areServed()
  for (const { socket } of readers) socket.destroy()
  expect(await untilOk(() => ana.tries(getDiary))).toHaveLength(300)
})

/** Sends requests repeatedly as two other people, one with and one without a session. */
async function watchOthers(person: HttpClient) {
  const took: number[] = []
  const statuses = new Set<number>()
  let isOver = false
  onTestFinished(() => void (isOver = true))
  const ask = async (call: () => Promise<Response>) => {
    while (!isOver) {
      const start = performance.now()
      const answer = await call()
      await answer.arrayBuffer()
      took.push(performance.now() - start)
      statuses.add(answer.status)
      await delay(5)
    }
  }
  const p99 = (times: number[]) =>
    times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)]!
  const asking = [
    ask(() => person.tries(getFeedDay, { params: { offset: '0' } })),
    ask(() => person.tries(getMe)),
  ]
  const answered = async (count: number) => {
    const goal = took.length + count
    await expect
      .poll(() => took.length, { timeout: 60_000, message: 'Other people get too few answers.' })
      .toBeGreaterThanOrEqual(goal)
  }
  await answered(300)
  const before = p99(took.splice(0))
  return {
    answered,
    areServed: async () => {
      isOver = true
      await Promise.all(asking)
      expect([...statuses]).toEqual([200])
      expect(p99(took)).toBeLessThan(Math.max(p99Ms, slowerThanBefore * before))
    },
  }
}

/** Watches the resident memory of a process, and returns how much it has grown at most. */
function watchMemory(pid: number) {
  const now = () => Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024
  const start = now()
  let most = start
  const timer = setInterval(() => (most = Math.max(most, now())), 50)
  onTestFinished(() => clearInterval(timer))
  return {
    grownBy: () => most - start,
  }
}

async function untilOk(call: () => Promise<Response>): Promise<unknown> {
  for (const deadline = Date.now() + 60_000; ; await delay(100)) {
    const answer = await call()
    if (answer.ok) return answer.json()
    const text = await answer.text()
    if (Date.now() > deadline)
      throw new Error(`The server still refuses after 60 s: ${answer.status} ${text}`)
  }
}
