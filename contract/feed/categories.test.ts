import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { categories, categoryOf, keywords, summariesOfCategories } from '#contract/feed/categories.ts'

const listed = (category: (typeof categories)[number]) => keywords[category].trim().split(/\s+/)

test('the categories are Poetry, Fiction, Travel, Technology, Lifestyle and Memories [FEED-28]', () => {
  expect(categories).toEqual(['Poetry', 'Fiction', 'Travel', 'Technology', 'Lifestyle', 'Memories'])
})

test.each([
  ['A haiku and a sonnet, each stanza in rhyme', 'Poetry'],
  ['Chapter one: the dragon and the wizard', 'Fiction'],
  ['We took the night train to a village on the coast.', 'Travel'],
  ['My laptop, its keyboard and a bug in the code', 'Technology'],
  ['Coffee first, then yoga, then breakfast', 'Lifestyle'],
  ['My grandmother kept a photograph of her childhood', 'Memories'],
])('the category of %j is guessed as %s from its words [FEED-29]', (text, category) => {
  expect(categoryOf(text)).toBe(category)
  expect(categoryOf(text.toUpperCase())).toBe(category)
})

test.each([
  ['one train, one poem, two trains', 'Travel'],
  ['one train, one poem, two poems', 'Poetry'],
  ['a poem of a train', 'Poetry'],
  ['train of memories and memoir', 'Memories'],
])('in %j most matches win, a tie goes to the earlier category: %s [FEED-30]', (text, category) => {
  expect(categoryOf(text)).toBe(category)
})

test.each(['', '…', 'Nothing here fits any list', 'Trainer, rhymester, codex', '山の歌', 's'])(
  'without a match %j counts as Lifestyle [FEED-30]',
  (text) => {
    expect(categoryOf(text)).toBe('Lifestyle')
  },
)

test('no keyword is in two lists or twice in one, and each decides alone [FEED-30]', () => {
  const all = categories.flatMap(listed)
  expect(new Set(all).size).toBe(all.length)
  for (const category of categories) {
    for (const keyword of listed(category)) expect(categoryOf(`The ${keyword}!`)).toBe(category)
  }
})

test('the category with the most keywords wins, in any order [FEED-30]', () => {
  const aCategory = fc.constantFrom(...categories)
  fc.assert(
    fc.property(
      aCategory,
      aCategory,
      fc.nat(4),
      fc.infiniteStream(fc.nat()),
      (winner, other, fewer, picks) => {
        const pick = (category: typeof winner) =>
          listed(category)[picks.next().value! % listed(category).length]!
        const words = [
          ...Array.from({ length: fewer + 1 }, () => pick(winner)),
          ...Array.from({ length: fewer }, () => pick(other)),
        ]
        expect(categoryOf(words.toSorted().join(', '))).toBe(winner)
      },
    ),
  )
})

test('a category has a name, an own image and the count of its posts [FEED-27]', () => {
  const summaries = summariesOfCategories([
    { content: 'a poem' },
    { content: 'another poem' },
    { content: 'a train' },
    { content: 'nothing' },
  ])
  expect(summaries.map(({ name, count }) => [name, count])).toEqual([
    ['Poetry', 2],
    ['Fiction', 0],
    ['Travel', 1],
    ['Technology', 0],
    ['Lifestyle', 1],
    ['Memories', 0],
  ])
  expect(new Set(summaries.map(({ image }) => image)).size).toBe(6)
})

test('every loaded post is counted in exactly one category [FEED-25]', () => {
  const content = fc.array(fc.constantFrom('poem', 'train', 'story', 'code', 'tea', 'family', 'xyz'))
  fc.assert(
    fc.property(fc.array(content), (contents) => {
      const summaries = summariesOfCategories(contents.map((words) => ({ content: words.join(' ') })))
      expect(summaries.reduce((sum, { count }) => sum + count, 0)).toBe(contents.length)
    }),
  )
})

test('a post is counted in the category that its author chose, and else in the guessed one [LOOP-12]', () => {
  const summaries = summariesOfCategories([
    { content: 'a poem', category: 'Travel' },
    { content: 'a poem', category: null },
  ])
  expect(summaries.flatMap(({ name, count }) => (count > 0 ? [name] : []))).toEqual(['Poetry', 'Travel'])
})
