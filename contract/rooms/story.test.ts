import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contributorsOf } from '#contract/rooms/story.ts'

const passage = (userId: string | null, content: string, authorName: string | null = null) => ({
  userId,
  authorName,
  content,
  isErased: false,
})
const wrote = (userId: string | null, words: number) => passage(userId, 'word '.repeat(words))
const sharesOf = (...words: number[]) =>
  contributorsOf(words.map((count, place) => wrote(`p${place}`, count))).map(({ share }) => share)

test('contributors are listed by their number of words, each with the share of the words [RVIEW-12]', () => {
  const story = [
    wrote('ana', 2),
    wrote('ben', 5),
    passage('cleo', 'one — two', 'Cleo Verne'),
    wrote('ana', 1),
  ]
  expect(contributorsOf(story)).toEqual([
    { userId: 'ben', name: 'User ben', words: 5, share: 50 },
    { userId: 'ana', name: 'User ana', words: 3, share: 30 },
    { userId: 'cleo', name: 'Cleo Verne', words: 2, share: 20 },
  ])
})

test('of two contributors with equally many words the one who wrote first is listed first', () => {
  const story = [wrote('zoe', 1), wrote('ana', 1), wrote('mia', 2), wrote('ana', 1), wrote('zoe', 1)]
  expect(contributorsOf(story).map(({ userId }) => userId)).toEqual(['zoe', 'ana', 'mia'])
})

test('all deleted accounts together are one contributor without a name [RVIEW-12 S15]', () => {
  expect(contributorsOf([wrote(null, 3), wrote('ana', 1), wrote(null, 4)])).toEqual([
    { userId: null, name: 'Deleted user', words: 7, share: 88 },
    { userId: 'ana', name: 'User ana', words: 1, share: 12 },
  ])
})

test.each([
  [[1], [100]],
  [
    [1, 1, 1],
    [34, 33, 33],
  ],
  [
    [3, 2, 1],
    [50, 33, 17],
  ],
  [
    [5, 1, 1],
    [72, 14, 14],
  ],
  [
    [1000, 1],
    [100, 0],
  ],
  [
    [1, 1, 1, 1, 1, 1, 1],
    [15, 15, 14, 14, 14, 14, 14],
  ],
])('the shares of contributors with %j words are %j percent', (words, shares) => {
  expect(sharesOf(...words)).toEqual(shares)
})

test('a story without passages has no contributors', () => {
  expect(contributorsOf([])).toEqual([])
})

test('the shares of a story without words are shares of the passages', () => {
  const story = [passage('ana', '🌊'), passage('ben', '…'), passage('ben', '🌙'), passage('ben', '☀️ ☀️')]
  expect(contributorsOf(story)).toEqual([
    { userId: 'ben', name: 'User ben', words: 0, share: 75 },
    { userId: 'ana', name: 'User ana', words: 0, share: 25 },
  ])
})

test('words are counted in every script', () => {
  expect(contributorsOf([passage('ana', '彼は本を読む'), passage('ben', 'well-known, don’t')])).toMatchObject(
    [
      { userId: 'ana', words: 5 },
      { userId: 'ben', words: 2 },
    ],
  )
})

test('the shares add up to 100, and no contributor with more words has a smaller share', () => {
  const counts = fc.array(fc.nat({ max: 300 }), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(counts, (words) => {
      const contributors = contributorsOf(words.map((count, place) => wrote(`p${place}`, count)))
      expect(contributors.reduce((sum, { share }) => sum + share, 0)).toBe(100)
      const shares = contributors.map(({ share }) => share)
      expect(shares).toEqual(shares.toSorted((one, other) => other - one))
    }),
  )
})
