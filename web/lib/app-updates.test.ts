import { afterEach, expect, test, vi } from 'vitest'
import { currentStatus, followUpdates, setStatus } from './app-updates.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'serviceWorker')
  document.head.replaceChildren()
  setStatus(null)
})

test.each([
  ['there is a network again', async () => void dispatchEvent(new Event('online'))],
  ['30 s have passed', async () => void (await vi.advanceTimersByTimeAsync(30_000))],
])(
  'a person whose server could not be asked about a new version is told of it when %s [OWN-04]',
  async (_when, wait) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    document.head.innerHTML = '<script data-entry="old.js" type="text/plain"></script>'
    const worker = Object.assign(new EventTarget(), { controller: {}, register: async () => {} })
    const registration = Object.assign(new EventTarget(), { waiting: {}, installing: null })
    Object.defineProperty(navigator, 'serviceWorker', {
      value: Object.assign(worker, { ready: Promise.resolve(registration) }),
      configurable: true,
    })
    const ask = vi.fn<typeof fetch>().mockRejectedValueOnce(new TypeError('Failed to fetch'))
    ask.mockImplementation(async () => new Response('<script data-entry="new.js">'))
    vi.stubGlobal('fetch', ask)
    await followUpdates()
    await expect.poll(() => ask.mock.calls.length).toBe(1)
    expect(currentStatus()).toBeNull()
    await wait()
    await expect.poll(currentStatus).toBe('newVersion')
    await vi.advanceTimersByTimeAsync(90_000)
    dispatchEvent(new Event('online'))
    expect(ask).toHaveBeenCalledTimes(2)
  },
)
