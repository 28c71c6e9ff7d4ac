import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { changePassword } from '#contract/account/endpoints.ts'
import { pass } from '#web/lib/testing.ts'
import { show, startTestPage } from '#web/testing/page.tsx'
import { ChangePasswordDialog } from './ChangePasswordDialog.tsx'

const server = startTestPage()
const close = vi.fn<() => void>()

beforeEach(() => {
  vi.useFakeTimers()
  close.mockReset()
  server.on(changePassword, { ok: true })
})

const field = () => screen.getByLabelText<HTMLInputElement>('New password')
// Other parts of the page are hidden from screen readers under a dialog; the toast announces itself.
const toast = () => screen.queryByRole('listitem', { hidden: true })

async function openDialog() {
  show(<ChangePasswordDialog onClose={close} />)
  await pass(0)
}

async function submit(password: string) {
  fireEvent.change(field(), { target: { value: password } })
  fireEvent.submit(field().form!)
  await pass(0)
}

/** The message under the field, which a screen reader reads with the field. */
const message = () =>
  document.getElementById(field().getAttribute('aria-describedby') ?? '')?.textContent ?? ''

test.each([
  ['', 'New password is required'],
  ['abc12', 'Password must be at least 6 characters'],
  ['😀😀😀😀😀', 'Password must be at least 6 characters'],
])(
  'a person who types the new password %j reads why it is refused, and nothing is sent [ACC-09 ACC-10 ACC-11 ACC-12 ACC-13]',
  async (password, expected) => {
    await openDialog()
    expect(document.querySelectorAll('input')).toHaveLength(1)
    await submit(password)
    expect(message()).toBe(expected)
    expect(field().getAttribute('aria-invalid')).toBe('true')
    expect(server.requests).toEqual([])
    expect(close).not.toHaveBeenCalled()
    expect(toast()).toBeNull()
  },
)

test('a person changes the password to one of 6 characters: the dialog closes, and a toast says so [ERR-10 ACC-11 ACC-14]', async () => {
  await openDialog()
  await submit('abc12')
  await submit('abc123')
  expect(server.inputs(changePassword)).toEqual([{ newPassword: 'abc123' }])
  expect(close).toHaveBeenCalledOnce()
  expect(toast()?.textContent).toContain('Password changed successfully')
  expect(toast()?.textContent).toContain('Your password has been updated.')
  expect(field().getAttribute('aria-invalid')).not.toBe('true')
})

test('a person whose new password is refused reads the sentence of the server, and the dialog stays [ERR-08 ACC-15]', async () => {
  server.refuse(changePassword, 'SignInAgainToChangePassword', { error: 'Please sign in again.' })
  await openDialog()
  await submit('abc123')
  expect(toast()?.textContent).toContain('Failed to change password')
  expect(toast()?.textContent).toContain('Please sign in again.')
  expect(server.requests).toHaveLength(1)
  expect(close).not.toHaveBeenCalled()
  expect(field().value).toBe('abc123')
})

const failures: [what: string, prepare: () => void][] = [
  ['an answer without a sentence', () => server.answerForeign(changePassword, 400, '')],
  ['an answer of another server', () => server.answerForeign(changePassword, 403, '<h1>Forbidden</h1>')],
  ['a lost connection', () => server.disconnect(changePassword)],
]
test.each(failures)(
  'a person who gets %s reads that the password could not be changed [ERR-09]',
  async (_what, prepare) => {
    prepare()
    await openDialog()
    await submit('abc123')
    // The page tries again where that may help.
    await pass(4000)
    expect(close).not.toHaveBeenCalled()
    expect(toast()?.textContent?.split('Failed to change password')).toHaveLength(3)
  },
)
