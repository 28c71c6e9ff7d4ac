import { expect, test, vi } from 'vitest'
import { longestTurnOf } from '#server/testing/loop-turns.ts'
import { isCommonPassword, refusalOfPassword } from './passwords.ts'

test('the first check of a password keeps the event loop busy for less than 15 ms [S51]', async () => {
  const firstCheck = async () => {
    vi.resetModules()
    const { isCommonPassword: check } = await import('./passwords.ts')
    expect(await check('Password12345')).toBe(true)
  }
  expect(await longestTurnOf(firstCheck, 15)).toBeLessThan(15)
})

test.each([
  'password',
  'Password12345',
  'P@ssw0rd!2024',
  'passwordpassword',
  'admin1234567',
  '123456789012',
  '987654321098',
  'qwertyuiopas',
  'abcdefghijkl',
  'aaaaaaaaaaaa',
  'abcabcabcabc',
  'Welcome2025!',
  'iloveyou1234',
  'liverpool1987',
  '1qaz2wsx3edc',
  'Zimmer 2025!!',
])('%s is a common password [S13]', async (password) => {
  expect(await isCommonPassword(password)).toBe(true)
})

test.each([
  'lamps and ink 9',
  '84-a-61927-b0',
  'correct horse battery',
  'passwordless-otter',
  'Ünterwegs nach Üda',
  '山田太郎は猫である三毛',
])('%s is no common password [S13]', async (password) => {
  expect(await isCommonPassword(password)).toBe(false)
})

const asDelivered = { passwordMinLength: 6, refusesCommonPasswords: false }
const short = (error: string) => ({ code: 'PasswordTooShort', error })
const common = { code: 'PasswordTooCommon' }

test.each([
  ['of 5 characters', 'abcde', asDelivered, false, short('Password must be at least 6 characters')],
  ['of 6 characters', 'abcdef', asDelivered, false, undefined],
  ['of 6 characters beyond the first plane', '😀😀😀😀😀😀', asDelivered, false, undefined],
  [
    'of 3 characters with 6 UTF-16 units',
    '😀😀😀',
    asDelivered,
    false,
    short('Password must be at least 6 characters'),
  ],
  ['that is common', 'password', asDelivered, false, undefined],
  [
    'of an admin with 11 characters',
    'lamps & ink',
    asDelivered,
    true,
    short('Password must be at least 12 characters'),
  ],
  ['of an admin that is common', 'Password12345', asDelivered, true, common],
  ['of an admin with 13 characters', 'lamps and ink', asDelivered, true, undefined],
  [
    'under a raised minimum',
    'ninechars',
    { ...asDelivered, passwordMinLength: 10 },
    false,
    short('Password must be at least 10 characters'),
  ],
  [
    'of an admin under a raised minimum',
    'lamps and ink',
    { ...asDelivered, passwordMinLength: 14 },
    true,
    short('Password must be at least 14 characters'),
  ],
  [
    'that is common, where that is refused',
    'password',
    { ...asDelivered, refusesCommonPasswords: true },
    false,
    common,
  ],
] as const)(
  'a password %s is accepted or refused by the settings [S13]',
  async (_what, password, settings, mayModerate, refusal) => {
    expect(await refusalOfPassword(password, settings, { mayModerate })).toEqual(refusal)
  },
)
