import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { login } from '#contract/account/endpoints.ts'
import {
  type ApiToken,
  createApiToken,
  endApiToken,
  listApiTokens,
} from '#contract/account/tokens/endpoints.ts'
import { done } from '#contract/schemas.ts'
import { press, show, startTestPage } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { ApiTokens } from './ApiTokens.tsx'

const server = startTestPage()

const idOf = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`
const used: ApiToken = {
  id: idOf(1),
  name: 'Nightly copy',
  scopes: ['posts:read', 'diary'],
  createdAt: '2025-06-01T18:00:00.000Z',
  expiresAt: '2025-08-30T18:00:00.000Z',
  isExpired: false,
  lastUsedAt: '2025-06-10T08:00:00.000Z',
}
const expired: ApiToken = { ...used, id: idOf(2), name: 'Old script', isExpired: true, lastUsedAt: null }
const made = { ...used, id: idOf(3), name: 'New script', lastUsedAt: null, token: 'zmr_secret' }

const open = (...listed: ApiToken[]) => {
  server.on(listApiTokens, listed)
  show(<ApiTokens />, { user: ana })
}
const rowOf = async (name: string) => within((await screen.findByText(name)).closest('li')!)
async function fill(name: string, ...scopes: string[]) {
  fireEvent.click(await screen.findByRole('button', { name: 'Make a token' }))
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: name } })
  for (const scope of scopes) fireEvent.click(screen.getByLabelText(scope))
}
const diary = 'Read and write your diary and calendar'

test('a person reads what each token may do, when it ends and when it was used by the clock of this device [INST-11]', async () => {
  vi.stubEnv('TZ', 'Asia/Tokyo')
  onTestFinished(() => void vi.unstubAllEnvs())
  open(used, expired)
  const row = await rowOf('Nightly copy')
  expect(row.getByText('Read the feed and your own posts')).toBeTruthy()
  expect(row.getByText(diary)).toBeTruthy()
  expect(row.getByText(/^Made/).textContent).toBe('Made June 2, 2025, ends August 31, 2025')
  expect(row.getByText(/^Last used/).textContent).toBe('Last used Jun 10, 2025, 5:00 PM')
  expect(row.queryByText('Expired')).toBeNull()
  const other = await rowOf('Old script')
  expect(other.getByText('Expired')).toBeTruthy()
  expect(other.getByText('Never used')).toBeTruthy()
  expect(other.getByText(/^Made/).textContent).toBe('Made June 2, 2025, ended August 31, 2025')
})

test('a person makes a token for what they choose, reads its secret once, and copies it [INST-11]', async () => {
  open()
  await fill('New script', diary)
  expect(document.activeElement).toBe(screen.getByLabelText('Name'))
  expect(screen.getByLabelText<HTMLSelectElement>('It ends after').value).toBe('90')
  fireEvent.change(screen.getByLabelText('It ends after'), { target: { value: '30' } })
  server.on(createApiToken, () => {
    server.on(listApiTokens, [made])
    return made
  })
  press('Make token')
  const field = await screen.findByLabelText<HTMLInputElement>('Your token "New script"')
  expect(field.value).toBe('zmr_secret')
  expect(screen.getByText('Copy the token now: it is not shown again.')).toBeTruthy()
  expect(server.inputs(createApiToken)).toEqual([{ name: 'New script', scopes: ['diary'], days: 30 }])
  expect(await screen.findByText('Never used')).toBeTruthy()
  expect(screen.queryByLabelText('Name')).toBeNull()
  press('Make a token')
  expect(screen.queryByDisplayValue('zmr_secret')).toBeNull()
})

test('a person reads what is missing, and nothing is sent [INST-11]', async () => {
  open()
  await fill(' ')
  press('Make token')
  expect(screen.getByText('Please give the token a name.')).toBeTruthy()
  expect(screen.getByText('Please choose what the token may do.')).toBeTruthy()
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'a'.repeat(61) } })
  expect(screen.getByText('Please write at most 60 characters.')).toBeTruthy()
  expect(server.changes).toEqual([])
  press('Cancel')
  expect(screen.queryByLabelText('Name')).toBeNull()
})

test('a person whose sign-in is old types the passcode, and then has the token [INST-11 S14]', async () => {
  open()
  server.on(createApiToken, ({ fail }) =>
    server.calls(login).length === 0 ? fail('SignInAgainForToken') : made,
  )
  server.on(login, ana)
  await fill('New script', diary)
  press('Make token')
  fireEvent.change(await screen.findByLabelText('Passcode'), { target: { value: 'right pass' } })
  press('Continue')
  expect(await screen.findByDisplayValue('zmr_secret')).toBeTruthy()
  expect(server.calls(createApiToken)).toHaveLength(2)
  expect(screen.queryByLabelText('Passcode')).toBeNull()
})

test('a person without a connection reads so, and keeps what they chose [INST-11]', async () => {
  open()
  server.disconnect(createApiToken)
  await fill('New script', diary)
  press('Make token')
  expect(await screen.findByText(/The token could not be made\. Check the connection/)).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('New script')
  expect(screen.getByLabelText<HTMLInputElement>(diary).checked).toBe(true)
  expect(server.calls(createApiToken)).toHaveLength(1)
})

test('a person ends a token after a question, or cancels it, and removes an expired one at once [INST-11]', async () => {
  open(used, expired)
  fireEvent.click((await rowOf('Nightly copy')).getByRole('button', { name: /^End/ }))
  await screen.findByRole('alertdialog')
  press('Cancel')
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(server.changes).toEqual([])
  server.on(endApiToken, ({ params, fail }) => {
    server.on(listApiTokens, params.id === used.id ? [expired] : [])
    return params.id === used.id ? done : fail('ApiTokenNotFound')
  })
  fireEvent.click((await rowOf('Nightly copy')).getByRole('button', { name: /^End/ }))
  await screen.findByText('A program that uses "Nightly copy" is refused at once.')
  press('End token')
  expect(await screen.findByText('The token has ended.')).toBeTruthy()
  await waitFor(() => expect(screen.queryByText('Nightly copy')).toBeNull())
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'API tokens' }))
  fireEvent.click((await rowOf('Old script')).getByRole('button', { name: /^Remove/ }))
  expect(await screen.findByText('The token is removed.')).toBeTruthy()
  await waitFor(() => expect(screen.queryByText('Old script')).toBeNull())
})

test('a person with 20 tokens reads that one must end before another is made [INST-11]', async () => {
  open(...Array.from({ length: 20 }, (_, n) => ({ ...used, id: idOf(n), name: `Script ${n}` })))
  expect(await screen.findByText(/You have 20 tokens, which is the most/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Make a token' })).toBeNull()
})
