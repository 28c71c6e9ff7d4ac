import Fastify from 'fastify'
import { expect, test, vi } from 'vitest'
import { repeat } from './repeat.ts'

test('work that takes longer than its pause is not begun again, and the end of the server waits for it', async () => {
  const app = Fastify()
  const finish = Promise.withResolvers<void>()
  const work = vi.fn(() => finish.promise)
  repeat(app, 'slow work', 1, work)
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
