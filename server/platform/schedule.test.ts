import { once } from 'node:events'
import Fastify from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { schedule } from './schedule.ts'

test('work that takes longer than its pause is not begun again, and the end of the server waits for it', async () => {
  const app = Fastify()
  const finish = Promise.withResolvers<void>()
  const work = vi.fn(() => finish.promise)
  schedule(app, 'slow work', 1, work)
  let ticks = 0
  const other = setInterval(() => ticks++, 1)
  await expect.poll(() => ticks).toBeGreaterThan(20)
  clearInterval(other)
  expect(work).toHaveBeenCalledTimes(1)
  let isClosed = false
  const closing = app.close().then(() => (isClosed = true))
  await new Promise(setImmediate)
  expect(isClosed).toBe(false)
  finish.resolve()
  await closing
})

test('work is begun within a minute of the start, however seldom it is done', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const app = Fastify()
  const work = vi.fn(async () => {})
  schedule(app, 'daily work', 10 * 60_000, work)
  await vi.advanceTimersByTimeAsync(59_000)
  expect(work).toHaveBeenCalledTimes(0)
  await vi.advanceTimersByTimeAsync(1000)
  expect(work).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(9 * 60_000)
  expect(work).toHaveBeenCalledTimes(2)
  await app.close()
})

test('work in progress is aborted when the server ends, and its failure is not logged [R17]', async () => {
  const lines: string[] = []
  const app = Fastify({ logger: { stream: { write: (line) => void lines.push(line) } } })
  const begun = Promise.withResolvers<void>()
  schedule(app, 'daily work', 1, async (signal) => {
    begun.resolve()
    await once(signal, 'abort')
    throw signal.reason
  })
  await begun.promise
  await app.close()
  expect(lines.filter((line) => line.includes('daily work'))).toEqual([])
})
