import { expect, test } from 'vitest'
import { batch } from './batch.ts'

test('callers who come while a lookup runs share the next one, and each gets their own answer', async () => {
  const questions: string[][] = []
  const ask = batch(async (keys) => {
    questions.push(keys)
    return new Map(keys.filter((key) => key !== 'nobody').map((key) => [key, `${key}!`]))
  })
  const first = ask('ana')
  await Promise.resolve()
  const others = [ask('ben'), ask('nobody'), ask('ben')]
  expect(await Promise.all([first, ...others])).toEqual(['ana!', 'ben!', undefined, 'ben!'])
  expect(await ask('ana')).toBe('ana!')
  expect(questions).toEqual([['ana'], ['ben', 'nobody'], ['ana']])
})

test('a lookup that fails fails for all its callers, and the next one is made anew', async () => {
  let isUnavailable = true
  const ask = batch(async (keys) => {
    if (isUnavailable) throw new Error('away')
    return new Map(keys.map((key) => [key, key]))
  })
  const outcomes = await Promise.allSettled([ask('ana'), ask('ben')])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isUnavailable = false
  expect(await ask('ana')).toBe('ana')
})
