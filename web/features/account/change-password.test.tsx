import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '#web/lib/query-client.ts'
import { ToastsProvider } from '#web/ui/toasts.tsx'
import { ChangePasswordDialog } from './ChangePasswordDialog.tsx'
import { pass } from '#web/lib/testing.ts'

const fetching = vi.fn<typeof fetch>()
const close = vi.fn<() => void>()

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', fetching)
  fetching.mockImplementation(async () => new Response('{"ok":true}'))
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  for (const fake of [fetching, close]) fake.mockReset()
})

const field = () => screen.getByLabelText<HTMLInputElement>('New password')
// Other parts of the page are hidden from screen readers under a dialog; the toast announces itself.
const toast = () => screen.queryByRole('listitem', { hidden: true })

async function openDialog() {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <ToastsProvider>
        <ChangePasswordDialog onClose={close} />
      </ToastsProvider>
    </QueryClientProvider>,
  )
  await pass(0)
}

async function submit(password: string) {
  fireEvent.change(field(), { target: { value: password } })
  fireEvent.submit(field().form!)
  await pass(0)
}

/** What a screen reader says of the field, which is also what stands under it. */
const fault = () => document.getElementById(field().getAttribute('aria-describedby') ?? '')?.textContent ?? ''

test.each([
  ['', 'New password is required'],
  ['abc12', 'Password must be at least 6 characters'],
  ['😀😀😀😀😀', 'Password must be at least 6 characters'],
])(
  'the new password %j is refused under its field, and nothing is sent [ACC-09 ACC-10 ACC-11 ACC-12 ACC-13]',
  async (password, message) => {
    await openDialog()
    expect(document.querySelectorAll('input')).toHaveLength(1)
    await submit(password)
    expect(fault()).toBe(message)
    expect(field().getAttribute('aria-invalid')).toBe('true')
    expect(fetching).not.toHaveBeenCalled()
    expect(close).not.toHaveBeenCalled()
    expect(toast()).toBeNull()
  },
)

test('a new password of 6 characters is sent, the dialog closes, and a toast says so [ERR-10 ACC-11 ACC-14]', async () => {
  await openDialog()
  await submit('abc12')
  await submit('abc123')
  expect(fetching).toHaveBeenCalledExactlyOnceWith(
    '/api/auth/simple-change-password',
    expect.objectContaining({ method: 'POST', body: '{"newPassword":"abc123"}' }),
  )
  expect(close).toHaveBeenCalledOnce()
  expect(toast()?.textContent).toContain('Password changed successfully')
  expect(toast()?.textContent).toContain('Your password has been updated.')
  expect(field().getAttribute('aria-invalid')).not.toBe('true')
})

const refusal = '{"code":"SignInAgainToChangePassword","error":"Please sign in again."}'

test('a refusal is told in the words of the server, and the dialog stays [ERR-08 ACC-15]', async () => {
  fetching.mockImplementation(async () => new Response(refusal, { status: 403 }))
  await openDialog()
  await submit('abc123')
  expect(toast()?.textContent).toContain('Failed to change password')
  expect(toast()?.textContent).toContain('Please sign in again.')
  expect(fetching).toHaveBeenCalledOnce()
  expect(close).not.toHaveBeenCalled()
  expect(field().value).toBe('abc123')
})

test.each([
  ['an answer without words', async () => new Response('', { status: 400 })],
  ['an answer of another server', async () => new Response('<h1>Forbidden</h1>', { status: 403 })],
  ['a network that is gone', () => Promise.reject(new TypeError('Failed to fetch'))],
])('%s is told as a failure to change the password [ERR-09]', async (_what, answer) => {
  fetching.mockImplementation(answer)
  await openDialog()
  await submit('abc123')
  // Another try is made where it may help.
  await pass(4000)
  expect(close).not.toHaveBeenCalled()
  expect(toast()?.textContent?.split('Failed to change password')).toHaveLength(3)
})
