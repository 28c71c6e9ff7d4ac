import { expect, test } from 'vitest'
import { batch } from './batch.ts'

test('callers who come while a lookup runs share the next one, and each gets their own answer', async () => {
  const questions: string[][] = []
  const ask = batch(async (keys: string[]) => {
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
  const ask = batch(async (keys: string[]) => {
    if (isUnavailable) throw new Error('away')
    return new Map(keys.map((key) => [key, key]))
  })
  const outcomes = await Promise.allSettled([ask('ana'), ask('ben')])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isUnavailable = false
  expect(await ask('ana')).toBe('ana')
})

test('a key that does not fit to the next lookup is looked up by the one after it, with all who come later', async () => {
  const questions: string[][] = []
  const ask = batch(
    async (keys: string[]) => {
      questions.push(keys)
      return new Map(keys.map((key) => [key, `${key}!`]))
    },
    { fits: (waiting, key) => waiting.length < 2 && !waiting.some((other) => other[0] === key[0]) },
  )
  const answers = await Promise.all(['ana', 'amy', 'ben', 'cem', 'dia', 'dan'].map((name) => ask(name)))
  expect(answers).toEqual(['ana!', 'amy!', 'ben!', 'cem!', 'dia!', 'dan!'])
  expect(questions).toEqual([['ana'], ['amy', 'ben'], ['cem', 'dia'], ['dan']])
})

test('a lookup that takes too long does not hold up the next one', async () => {
  const slow = Promise.withResolvers<void>()
  const ask = batch(
    async (keys: string[]) => {
      if (keys.includes('slow')) await slow.promise
      return new Map(keys.map((key) => [key, `${key}!`]))
    },
    { maxWaitMs: 1 },
  )
  const first = ask('slow')
  await Promise.resolve()
  expect(await ask('quick')).toBe('quick!')
  slow.resolve()
  expect(await first).toBe('slow!')
})
