import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { countSyllables, heaviestSentences, readability, readabilityLabel } from './readability.ts'
import { wordsOf } from '#contract/text-words.ts'

test.each(['', ' \n ', '...', '?! — 🖋️'])('the empty text %j has no result [SET-04]', (text) => {
  expect(readability(text)).toBeNull()
})

test.each([
  ['cat', 1],
  ['rhythm', 1],
  ['pen', 1],
  ['read', 1],
  ['paper', 2],
  ['beautiful', 3],
  ['Idea', 2],
  ['ELEPHANT', 3],
  ['naïveté', 3],
  ['nai\u0308vete\u0301', 3],
  ['well-known', 2],
  ['1984', 0],
  ['Mr', 0],
])('%s has %i vowel groups [SET-04]', (word, syllables) => {
  expect(countSyllables(word)).toBe(syllables)
})

test.each([
  ['no mark at the end', 1],
  ['One. Two! Three?', 3],
  ['One. Two', 2],
  ['What?! Really... yes.', 3],
  ['. . . one', 1],
  ['“Go!” he said. “Now.”', 3],
  ['a line\nand a line', 1],
  ['It cost 3.5 pounds.', 1],
  ['It was 3. Then 4.', 2],
])('%j has %i sentences [SET-04]', (text, sentences) => {
  expect(readability(text)?.sentences).toBe(sentences)
})

test.each([
  // words, sentences, complex words, index
  ['The cat sat on the mat.', 6, 1, 0, 2.4],
  ['The cat sat. The dog ran.', 6, 2, 0, 1.2],
  ['Elephant', 1, 1, 1, 40.4],
  ['The elephant ran far from the big old town', 9, 1, 1, 0.4 * (9 + 100 / 9)],
  ['An animal. A beautiful animal. It is a cat!', 9, 3, 3, 0.4 * (3 + 100 / 3)],
])(
  '%j: %i words, %i sentences, %i complex words, index %d [SET-01 SET-02 SET-04]',
  (text, words, sentences, complexWords, index) => {
    const result = readability(text)
    expect(result).toMatchObject({ words, sentences, complexWords })
    expect(result?.index).toBeCloseTo(index, 10)
  },
)

test.each([
  [0, 'very easy'],
  [7.99, 'very easy'],
  [8, 'easy'],
  [11.99, 'easy'],
  [12, 'fairly difficult'],
  [15.99, 'fairly difficult'],
  [16, 'difficult to read'],
  [400, 'difficult to read'],
])('an index of %d reads as %s [SET-03]', (index, label) => {
  expect(readabilityLabel(index)).toBe(label)
})

test.each([
  [19, 'very easy'],
  [20, 'easy'],
  [30, 'fairly difficult'],
  [40, 'difficult to read'],
])('a sentence of %i short words is %s [SET-02 SET-03]', (words, label) => {
  expect(readability(`${'so '.repeat(words)}.`)?.label).toBe(label)
})

test('a writer sees where each sentence stands and which one weighs most [SET-01]', () => {
  const text = ' It rains. \n“The extraordinary organisation of umbrellas is considerable!” I go.'
  const result = readability(text)!
  expect(result.parts.map(({ start, end }) => text.slice(start, end))).toEqual([
    'It rains.',
    '“The extraordinary organisation of umbrellas is considerable!”',
    'I go.',
  ])
  const [worst] = heaviestSentences(result, 1)
  expect(worst).toMatchObject({ start: 12, words: 7, complexWords: 4 })
})

test('of several sentences the writer sees the heaviest first, as many as asked for [SET-01]', () => {
  const text =
    'I go. An enormous elephant. So so so so so so so so so so so so so so so so so so so. You go. We go.'
  const result = readability(text)!
  const beginnings = heaviestSentences(result, 3).map(({ start }) => text.slice(start, start + 5))
  expect(beginnings).toEqual(['An en', 'So so', 'I go.'])
  expect(heaviestSentences(result, 9).length).toBe(5)
})

test('a text of one sentence owes its whole index to it [SET-01]', () => {
  const result = readability('An enormous elephant')!
  expect(heaviestSentences(result, 3)).toMatchObject([{ start: 0, end: 20, weight: result.index }])
})

const someText = fc.string({ unit: fc.constantFrom(...'aeoxmé 1.!?,\n"’-我'), maxLength: 80 })

test('sentences stand in order, do not overlap and hold all words of the text [SET-04]', () => {
  fc.assert(
    fc.property(someText, (text) => {
      const result = readability(text)
      const parts = result?.parts ?? []
      const texts = parts.map(({ start, end }) => text.slice(start, end))
      expect(texts.flatMap(wordsOf)).toEqual(wordsOf(text))
      expect(texts).toEqual(texts.map((each) => each.trim()))
      for (const [index, { start, end }] of parts.entries()) {
        expect(start).toBeLessThan(end)
        expect(start).toBeGreaterThanOrEqual(parts[index - 1]?.end ?? 0)
      }
      expect(result?.words ?? 0).toBe(wordsOf(text).length)
      expect(result?.sentences ?? 0).toBe(parts.length)
    }),
  )
})

test('the index follows the formula, and the sentences together weigh as much [SET-02]', () => {
  const aSentence = fc
    .array(fc.constantFrom('cat', 'paper', 'elephant', 'extraordinary'), { minLength: 1, maxLength: 12 })
    .map((words) => `${words.join(' ')}.`)
  fc.assert(
    fc.property(fc.array(aSentence, { minLength: 1, maxLength: 8 }), (sentences) => {
      const result = readability(sentences.join(' '))!
      const words = sentences.flatMap((sentence) => sentence.slice(0, -1).split(' '))
      const complex = words.filter((word) => word.length > 5)
      expect(result.index).toBeCloseTo(
        0.4 * (words.length / sentences.length + (complex.length / words.length) * 100),
        8,
      )
      expect(result.label).toBe(readabilityLabel(result.index))
      expect(result.parts.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(result.index, 8)
    }),
  )
})
