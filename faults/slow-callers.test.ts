import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { getMe, register } from '#contract/account/endpoints.ts'
import { getDiary, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { getFeedDay } from '#contract/feed/endpoints.ts'
import type { HttpClient } from '../scripts/testing/http-client.ts'
import { startInstance } from './instance.ts'

const mebibyte = 1024 * 1024
/** How long one in a hundred other people may wait while somebody attacks; a machine at its limit is slower by itself. */
const p99Ms = 200
const slowerThanBefore = 3

const unfinishedPost = [
  'POST /api/pending-posts HTTP/1.1',
  'host: localhost',
  'content-type: application/json',
  'content-length: 60000',
  '\r\n{',
].join('\r\n')

test('510 callers who send their text slowly keep nobody else waiting, and are let go within 10 s [R14 R25]', async () => {
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
  for (const { text } of slow) expect(text()).toMatch(/^HTTP\/1\.1 (408|429|503) /)
})

test('520 readers who take nothing of a long diary cost little memory and keep nobody else waiting [R11 R24 R25]', async () => {
  const instance = await startInstance()
  const ana = await aPerson(instance.client())
  for (let day = 0; day < 300; day++)
    await ana.does(saveDiaryEntry, { input: { date: dayAfter(day), content: 'x'.repeat(100_000) } })
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

test('a server that was stopped for 12 s still takes the body and sends the list that were in progress [R11 R25]', async () => {
  const instance = await startInstance()
  const ana = await aPerson(instance.client())
  for (let day = 0; day < 300; day++)
    await ana.does(saveDiaryEntry, { input: { date: dayAfter(day), content: 'x'.repeat(100_000) } })
  const { process: server, url } = instance.server
  const entry = JSON.stringify({ date: dayAfter(301), content: 'y'.repeat(1000) })
  const save = `POST /api/diary/save HTTP/1.1\r\nhost: localhost\r\ncookie: ${ana.cookie}\r\ncontent-type: application/json\r\ncontent-length: ${entry.length}\r\n\r\n{`
  const read = `GET /api/diary HTTP/1.1\r\nhost: localhost\r\ncookie: ${ana.cookie}\r\nconnection: close\r\n\r\n`
  const open = async (text: string) => (await openAll(url, 1, () => text))[0]!
  const reader = await open(read)
  while (reader.text() === '') await delay(5)
  reader.socket.pause()
  const answersFor = async (ms: number) => {
    for (const from = performance.now(); performance.now() - from < ms;)
      expect((await ana.tries(getMe)).status).toBe(200)
  }
  // The server sends the list until the connection holds no more of it.
  await answersFor(3000)
  const sender = await open(save)
  // The server answers this request after it has read the unfinished one above.
  expect((await ana.tries(getMe)).status).toBe(200)
  process.kill(server.pid!, 'SIGSTOP')
  await delay(12_000)
  process.kill(server.pid!, 'SIGCONT')
  // The server looks at both callers each second.
  await answersFor(1500)
  sender.socket.write(entry.slice(1))
  reader.socket.resume()
  while (sender.text() === '' || !reader.socket.closed) await delay(5)
  expect(sender.text()).toMatch(/^HTTP\/1\.1 200 /)
  // The last chunk of a whole answer is empty.
  expect(reader.text().slice(-5)).toBe('0\r\n\r\n')
})

async function aPerson(client: HttpClient, email = 'ana@example.org') {
  await client.does(register, { input: { email, password: 'secret pass 1', firstName: 'Ana' } })
  return client
}

const dayAfter = (days: number) => new Date(Date.UTC(2024, 0, 1 + days)).toISOString().slice(0, 10)

/** Connections that send a text each and keep what comes back. */
async function openAll(url: string, count: number, textOf: (n: number) => string, { reads = true } = {}) {
  const { hostname, port } = new URL(url)
  return Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const socket: Socket = connect(Number(port), hostname)
      onTestFinished(() => void socket.destroy())
      let said = ''
      if (reads) socket.on('data', (chunk) => (said += chunk.toString()))
      socket.on('error', () => {})
      await once(socket, 'connect')
      socket.write(textOf(n))
      return { socket, text: () => said }
    }),
  )
}

/** Asks again and again as other people do, one who is signed in and one who is not. */
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
    while (took.length < goal) await delay(5)
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

/** The most memory that a process has taken since. */
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
  for (;;) {
    const answer = await call()
    if (answer.ok) return answer.json()
    await answer.arrayBuffer()
    await delay(100)
  }
}
