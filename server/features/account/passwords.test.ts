import { expect, test } from 'vitest'
import { isCommonPassword, refusalOfPassword } from './passwords.ts'

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
])('%s is one of the passwords that are tried first [S13]', (password) => {
  expect(isCommonPassword(password)).toBe(true)
})

test.each([
  'lamps and ink 9',
  'correct horse battery',
  'passwordless-otter',
  'Ünterwegs nach Üda',
  '山田太郎は猫である三毛',
])('%s is a password of its own [S13]', (password) => {
  expect(isCommonPassword(password)).toBe(false)
})

const asDelivered = { passwordMinLength: 6, refusesCommonPasswords: false }
const short = (error: string) => ({ code: 'PasswordTooShort', error })
const common = { code: 'PasswordTooCommon' }

test.each([
  ['of 5', 'abcde', asDelivered, false, short('Password must be at least 6 characters')],
  ['of 6', 'abcdef', asDelivered, false, undefined],
  ['of 6 beyond the first plane', '😀😀😀😀😀😀', asDelivered, false, undefined],
  ['of 3 that look like 6', '😀😀😀', asDelivered, false, short('Password must be at least 6 characters')],
  ['that is common', 'password', asDelivered, false, undefined],
  ['of an admin, of 11', 'lamps & ink', asDelivered, true, short('Password must be at least 12 characters')],
  ['of an admin, common', 'Password12345', asDelivered, true, common],
  ['of an admin', 'lamps and ink', asDelivered, true, undefined],
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
] as const)('a password %s [S13]', (_what, password, settings, isAdmin, refusal) => {
  expect(refusalOfPassword(password, settings, { isAdmin })).toEqual(refusal)
})
