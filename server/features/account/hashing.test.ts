import { createHook } from 'node:async_hooks'
import { expect, test } from 'vitest'
import { Refused } from '#server/platform/http/refusal.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { createHashing, isOutdated } from './hashing.ts'

test('a password is stored as Argon2id with its parameters, its own salt and 32 bytes [S10]', async () => {
  const hashing = createHashing(systemRandom)
  const [first, second] = [await hashing.hash('ink and lamps'), await hashing.hash('ink and lamps')]
  const [, , , parameters, salt = '', tag = ''] = first.split('$')
  expect(parameters).toBe('m=19456,t=2,p=1')
  expect(Buffer.from(salt, 'base64')).toHaveLength(16)
  expect(Buffer.from(tag, 'base64')).toHaveLength(32)
  expect(second).not.toBe(first)
  expect(isOutdated(first)).toBe(false)
  expect(isOutdated(first.replace('t=2', 't=1'))).toBe(true)
})

test.each([
  ['itself', 'Zoë 1', true],
  ['another case', 'zoë 1', false],
  ['a blank more', 'Zoë 1 ', false],
  ['the same letters in other code points', 'Zoe\u0308 1', false],
  ['nothing', '', false],
])('a password is compared byte for byte with %s [S10]', async (_what, given, isRight) => {
  const hashing = createHashing(systemRandom)
  expect(await hashing.verify(given, await hashing.hash('Zoë 1'))).toBe(isRight)
})

test('for an unknown person the same work is done as for a wrong password [S11]', async () => {
  const hashing = createHashing(systemRandom)
  const secret = await hashing.hash('ink and lamps')
  const jobs: string[] = []
  const hook = createHook({ init: (_id, type) => void (/argon/i.test(type) && jobs.push(type)) }).enable()
  try {
    expect(await hashing.verify('wrong', secret)).toBe(false)
    const ofWrongPassword = jobs.splice(0)
    expect(await hashing.verify('wrong', undefined)).toBe(false)
    expect(ofWrongPassword).toHaveLength(1)
    expect(jobs).toEqual(ofWrongPassword)
  } finally {
    hook.disable()
  }
})

test('sixty-four calls wait, one more is refused with 503, and later calls work [S10]', async () => {
  const hashing = createHashing(systemRandom, 1)
  const inWork = Array.from({ length: 65 }, () => hashing.verify('wrong', undefined))
  const refusal = await hashing.hash('one too many').catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(Refused)
  expect(refusal).toMatchObject({ status: 503, detail: { retryAfter: 2 } })
  expect(await Promise.all(inWork)).toEqual(Array.from({ length: 65 }, () => false))
  expect(await hashing.verify('right', await hashing.hash('right'))).toBe(true)
})
