import { expect, test, vi } from 'vitest'
import { runningSends, whenAllSent } from './running-sends.ts'

test('a reload waits until what is being sent has its answer, also a refusal, and at most ten seconds [OWN-04]', async () => {
  vi.useFakeTimers()
  try {
    const answer = Promise.withResolvers<void>()
    runningSends.set('refused', Promise.reject(new Error('refused')))
    runningSends.set('slow', answer.promise)
    let isOver = false
    void whenAllSent().then(() => (isOver = true))
    await vi.advanceTimersByTimeAsync(5000)
    expect(isOver).toBe(false)
    answer.resolve()
    await vi.advanceTimersByTimeAsync(0)
    expect(isOver).toBe(true)

    runningSends.set('without an answer', new Promise(() => {}))
    isOver = false
    void whenAllSent().then(() => (isOver = true))
    await vi.advanceTimersByTimeAsync(9999)
    expect(isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(isOver).toBe(true)
  } finally {
    runningSends.clear()
    vi.useRealTimers()
  }
})
