import { expect, test } from 'vitest'
import type { PageData } from './page-data.ts'
import { renderingCost, renderingMaxCost } from './rendering-cost.ts'

const post = (content: string) => ({ id: 'an id', content, authorName: 'Ana' })
const article = (content: string): PageData => ({
  title: '',
  answers: { '/api/posts/1': post(content) },
  lists: {},
})
const day = (count: number, content: string): PageData => ({
  title: '',
  answers: { '/api/feed/day/0': Array.from({ length: count }, () => post(content)) },
  lists: {},
})
const story = (count: number, content: string, authorName = 'Ana'): PageData => ({
  title: '',
  answers: {},
  lists: {},
  story: {
    path: '/api/zimmers/1/messages',
    passages: Array.from({ length: count }, (_, i) => ({
      id: `${i}`,
      content,
      isErased: false,
      folded: false,
      words: null,
      userId: 'b3n0000000',
      authorName,
      roomId: '1',
      createdAt: '2025-06-10T10:00:00.000Z',
      position: i + 1,
    })),
  },
})
const person = (introduction: string): PageData => ({
  title: '',
  answers: { '/api/people/1': { introduction } },
  lists: {},
})

const long = 'a\n'.repeat(2500)

test.each<[what: string, data: PageData, isRendered: boolean]>([
  ['a page without texts', { title: '', answers: {}, lists: {} }, true],
  ['the longest article, a letter on each line', article('a\n'.repeat(25_000)), true],
  ['the longest article, empty lines alone', article('\n'.repeat(50_000)), true],
  ['the longest article, quotation marks alone', article('"'.repeat(50_000)), true],
  ['the longest article, ideographs alone', article('漢'.repeat(50_000)), true],
  ['an article twice as long as the longest', article('a\n'.repeat(50_000)), true],
  ['an article of 60,000 lines', article('a\n'.repeat(60_000)), false],
  ['a day of 200 long poems, whose beginnings are shown', day(200, long), true],
  ['a day with a megabyte of words', day(20, 'night and day '.repeat(3500)), true],
  ['a story of a megabyte of words', story(200, 'night and day '.repeat(357)), true],
  ['a story of a megabyte of ideographs', story(70, '漢'.repeat(5000)), true],
  ['a story of 5,000 passages of one letter', story(5000, 'a'), true],
  ['a story of 20 passages of 2,500 lines', story(20, long), true],
  ['a story of 200 passages of 2,500 lines', story(200, long), false],
  ['a story of 200 passages of quotation marks', story(200, '"'.repeat(5000)), false],
  ['an introduction of a million quotation marks', person('"'.repeat(1_000_000)), false],
])('%s is rendered only when its cost is below the bound [S58]', (_what, data, isRendered) => {
  expect(renderingCost(data) <= renderingMaxCost).toBe(isRendered)
})

test('the cost of a story does not change with the signatures of its authors [S58]', () => {
  expect(renderingCost(story(3, 'It was late.', 'Ana Lima-Obi'))).toBe(
    renderingCost(story(3, 'It was late.', 'A')),
  )
})

test('the counting stops above the bound, however long the page is [S51 S58]', () => {
  let read = 0
  const passages = new Proxy(story(100_000, long).story!.passages, {
    get(list, name, receiver) {
      if (/^\d+$/.test(String(name))) read++
      return Reflect.get(list, name, receiver) as unknown
    },
  })
  const cost = renderingCost({ ...story(0, ''), story: { path: '', passages } })
  expect(cost).toBeGreaterThan(renderingMaxCost)
  expect(cost).toBeLessThan(renderingMaxCost + 100)
  expect(read).toBeLessThan(30)
})
