import Fastify from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createEntryCounter, type Counted } from './entry-counter.ts'

const minuteMs = 60_000

/** An entry counter whose database can be unavailable, on a server whose log is kept. */
function startCounter() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const logged: Record<string, unknown>[] = []
  const stream = { write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>) }
  const app = Fastify({ logger: { level: 'warn', stream } })
  const database = { isUnavailable: true }
  const written: Counted<{ id: number }>[] = []
  const counter = createEntryCounter<{ id: number }>(async (entries) => {
    if (database.isUnavailable) throw new Error('The database is unavailable.')
    written.push(...entries)
  })
  counter.writeEveryMinute(app, 'audit of refusals')
  return {
    app,
    database,
    written,
    logged,
    add: (caller: string, id: number) => counter.add(caller, 'a subject', { id }).catch(() => {}),
  }
}

test('a caller that is refused in each of many minutes without a database gets one row with the sum afterwards [R16 S52]', async () => {
  const { app, database, written, add } = startCounter()
  for (let minute = 0; minute < 5; minute++) {
    await add('one', minute)
    await add('one', minute)
    await add('another', minute)
    await vi.advanceTimersByTimeAsync(minuteMs)
  }
  expect(written).toEqual([])
  database.isUnavailable = false
  await vi.advanceTimersByTimeAsync(minuteMs)
  expect(written).toEqual([
    { id: 0, count: 10 },
    { id: 0, count: 5 },
  ])
  await app.close()
  expect(written).toHaveLength(2)
})

test('of 35 000 callers that are refused without a database the newest are kept, and the log says how many were dropped [R16 S52]', async () => {
  const { app, database, written, logged, add } = startCounter()
  const count = 35_000
  for (let id = 0; id < count; id++) await add(`caller ${id}`, id)
  await vi.advanceTimersByTimeAsync(minuteMs)
  database.isUnavailable = false
  await vi.advanceTimersByTimeAsync(minuteMs)
  expect(written.map(({ id }) => id)).toEqual(Array.from({ length: 10_000 }, (_, n) => count - 10_000 + n))
  const drops = logged.filter(({ dropped }) => dropped !== undefined)
  expect(drops).toEqual([expect.objectContaining({ dropped: 25_000 })])
  await app.close()
})
