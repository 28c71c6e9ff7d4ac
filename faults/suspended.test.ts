import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { getMe } from '#contract/account/endpoints.ts'
import { headOfPost, openCaller, openServedCaller } from '#server/testing/raw-callers.ts'
import { startInstance } from './instance.ts'
import { aPerson, dayAfter, fillDiary, openAll } from './people.ts'

test('1,000 callers connect while the server is suspended, and are served when it runs again [R14]', async () => {
  const instance = await startInstance()
  const { process: server, url } = instance.server
  process.kill(server.pid!, 'SIGSTOP')
  const callers = openAll(url, 1000, () => 'GET /health/live HTTP/1.1\r\nhost: localhost\r\n\r\n')
  // The kernel drops connections over the limit of waiting ones: such a caller cannot connect to a suspended server.
  const areConnected = await Promise.race([callers.then(() => true), delay(20_000, false)])
  process.kill(server.pid!, 'SIGCONT')
  expect(areConnected).toBe(true)
  for (const caller of await callers) {
    await expect.poll(() => caller.said, { timeout: 60_000 }).not.toBe('')
    expect(caller.said).toMatch(/^HTTP\/1\.1 200 /)
  }
})

test('a server that was suspended for 12 s completes the body and the list that were in progress [R11 R25]', async () => {
  const instance = await startInstance()
  const ana = await aPerson(instance.client())
  await fillDiary(ana, 300)
  const { process: server, url } = instance.server
  const entry = JSON.stringify({ date: dayAfter(301), content: 'y'.repeat(1000) })
  const save = `${headOfPost('/api/diary/save', entry.length, { cookie: ana.cookie })}{`
  const read = `GET /api/diary HTTP/1.1\r\nhost: localhost\r\ncookie: ${ana.cookie}\r\nconnection: close\r\n\r\n`
  const reader = await openServedCaller(url, read, 'HTTP/1.1 200 ')
  reader.socket.pause()
  const answersFor = async (ms: number) => {
    for (const from = performance.now(); performance.now() - from < ms;)
      expect((await ana.tries(getMe)).status).toBe(200)
  }
  // The server sends the list until the buffers of the connection are full.
  await answersFor(3000)
  const sender = await openCaller(url, save)
  // The server answers this request after it has read the unfinished one above.
  expect((await ana.tries(getMe)).status).toBe(200)
  process.kill(server.pid!, 'SIGSTOP')
  await delay(12_000)
  process.kill(server.pid!, 'SIGCONT')
  // The server checks both clients each second.
  await answersFor(1500)
  sender.socket.write(entry.slice(1))
  reader.socket.resume()
  await expect.poll(() => sender.said, { timeout: 60_000 }).not.toBe('')
  expect(sender.said).toMatch(/^HTTP\/1\.1 200 /)
  await expect
    .poll(() => reader.socket.closed, { timeout: 60_000, message: 'The list does not end.' })
    .toBe(true)
  // The last chunk of a whole answer is empty.
  expect(reader.said.slice(-5)).toBe('0\r\n\r\n')
})
