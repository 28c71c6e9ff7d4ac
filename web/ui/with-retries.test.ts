import { expect, onTestFinished, test, vi } from 'vitest'
import { withRetries } from './with-retries.ts'

test.each([
  ['at once', 0, 'the page'],
  ['at the second attempt', 1, 'the page'],
  ['at the third attempt', 2, 'the page'],
  ['not at all', 3, 'busy'],
])(
  'a part of the page whose file arrives %s is fetched until then, and three times at most [R14]',
  async (_name, failures, end) => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    let tries = 0
    const load = withRetries(async () => {
      if (++tries <= failures) throw new Error('busy')
      return 'the page'
    })
    const loaded = load().catch((error: Error) => error.message)
    await vi.runAllTimersAsync()
    expect(await loaded).toBe(end)
    expect(tries).toBe(Math.min(failures + 1, 3))
  },
)
