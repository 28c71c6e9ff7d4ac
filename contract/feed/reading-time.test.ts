import { expect, test } from 'vitest'
import { readingMinutes } from './reading-time.ts'

test.each([
  ['no text', '', 0],
  ['a line', 'It rained.', 0],
  ['299 words', 'word '.repeat(299), 1],
  ['300 words', 'word '.repeat(300), 2],
  ['2,000 words of which each has a hyphen and a comma', 'well-known, '.repeat(2000), 10],
  ['dashes between 300 words', 'word — '.repeat(300), 2],
  ['300 words of Hebrew', 'מילה '.repeat(300), 2],
  ['300 words of Korean', '단어 '.repeat(300), 2],
  ['599 characters of Chinese', '我'.repeat(599), 1],
  ['600 characters of Chinese with full stops', '我爱。'.repeat(300), 2],
  ['600 characters of Japanese', 'ラーめ'.repeat(300), 2],
  ['600 characters of Thai', 'ภา'.repeat(300), 2],
  ['200 words and 400 characters of Chinese', `${'word '.repeat(200)}${'我'.repeat(400)}`, 2],
])('a reader is told how many minutes a text takes: %s [LOOP-20]', (_, text, minutes) => {
  expect(readingMinutes(text)).toBe(minutes)
})
