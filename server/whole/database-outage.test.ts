import { expect, onTestFinished, test, vi } from 'vitest'
import { createLog } from '#server/log.ts'
import { startTestApp } from '#server/testing/test-app.ts'

test('while the database is unavailable an operator reads one line about it, and no line of the jobs that fail [R15]', async () => {
  const messages: string[] = []
  const write = (line: string) => void messages.push((JSON.parse(line) as { msg: string }).msg)
  vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { db } = await startTestApp({ logger: createLog('error', { write }) })
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  const asked = vi.spyOn(db.pool, 'query').mockImplementation(() => Promise.reject(refused))
  const connected = vi.spyOn(db.pool, 'connect').mockImplementation(() => Promise.reject(refused))
  await vi.advanceTimersByTimeAsync(60_000)
  asked.mockRestore()
  connected.mockRestore()
  expect(messages).toEqual(['The database is unavailable: calls that need it are answered 503.'])
})
