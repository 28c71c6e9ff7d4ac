import { expect, test } from 'vitest'
import { longestTurnOf } from '#server/testing/loop-turns.ts'
import { wordRowsOf } from './words.ts'

test('other requests run between the words of two posts, and long texts are stored in several statements [S51]', async () => {
  const order: string[] = []
  const post = (name: string) => ({
    id: name,
    publishedAt: '2025-06-10T10:00:00.000Z',
    category: null,
    form: null,
    tags: [],
    get content() {
      if (order.at(-1) !== name) {
        order.push(name)
        setImmediate(() => order.push('a request'))
      }
      return Array.from({ length: 8000 }, (_, n) => `word${n}`).join(' ')
    },
  })
  let statements = 0
  const names = ['one', 'two', 'three', 'four', 'five', 'six']
  for await (const _ of wordRowsOf(names.map(post))) statements++
  expect(order.slice(0, -1)).toEqual(names.flatMap((name) => [name, 'a request']).slice(0, -1))
  expect(statements).toBeGreaterThan(1)
})

test.each(['က', 'ភ', '㌖', 'ﷺ '])(
  'the words of a post of %s alone are found in short turns of the event loop [S51]',
  async (sign) => {
    const content = sign.repeat(50_000 / sign.length)
    const publishedAt = '2025-06-10T10:00:00.000Z'
    const post = { id: 'one', publishedAt, category: null, form: null, tags: [], content }
    expect(await longestTurnOf(() => Array.fromAsync(wordRowsOf([post])), 15)).toBeLessThan(15)
  },
)
