import { afterEach, expect, test, vi } from 'vitest'
import { logUnhandledErrors } from './unhandled-errors.ts'

afterEach(() => vi.restoreAllMocks())

test('an error that no code has caught is logged once, by the page and not by the browser [ERR-29]', () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  logUnhandledErrors()
  const thrown = new Error('thrown')
  const rejected = new Error('rejected')

  const error = new ErrorEvent('error', { error: thrown, cancelable: true })
  const rejection = Object.assign(new Event('unhandledrejection', { cancelable: true }), { reason: rejected })
  dispatchEvent(error)
  dispatchEvent(rejection)

  expect(logged.mock.calls).toEqual([[thrown], [rejected]])
  expect([error.defaultPrevented, rejection.defaultPrevented]).toEqual([true, true])
})
