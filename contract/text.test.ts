import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { countWords, cut, hasRefusedCharacters, isBlank, lengthInCodePoints, withLf } from '#contract/text.ts'

const anyText = fc.string({ unit: 'binary' })

test.each([
  ['plain', false],
  ['two\nlines', false],
  ['a pen 🖋️ and ink', false],
  ['nul \0 inside', true],
  ['half \ud83d', true],
  ['\ude00 other half', true],
  ['swapped \ude00\ud83d', true],
])('%j is refused: %s [S28]', (text, refused) => {
  expect(hasRefusedCharacters(text)).toBe(refused)
})

test('a text is refused when it holds U+0000 or half a character, and only then [S28]', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 0xffff })), (units) => {
      const text = String.fromCharCode(...units)
      expect(hasRefusedCharacters(text)).toBe(text.includes('\0') || !text.isWellFormed())
    }),
  )
})

test('line ends of Windows become plain ones and nothing else changes [S28]', () => {
  expect(withLf('roses\r\nviolets\r\n')).toBe('roses\nviolets\n')
  expect(withLf('a lone \r stays, tabs\t too ')).toBe('a lone \r stays, tabs\t too ')
  fc.assert(
    fc.property(fc.array(anyText.filter((line) => !/[\r\n]/.test(line))), (lines) => {
      expect(withLf(lines.join('\r\n'))).toBe(lines.join('\n'))
    }),
  )
})

test.each([
  ['', true],
  [' \t\r\n', true],
  ['\u00a0\u2003\u3000\u0085\u2028', true],
  ['\u200b\u200c\u200d\u2060\ufeff', true],
  ['\u00ad\u200e\u3164', true],
  [' \u200b. ', false],
  ['0', false],
  ['🖋', false],
])('%j counts as blank: %s [S28]', (text, blank) => {
  expect(isBlank(text)).toBe(blank)
})

test('one visible letter among white space is not blank [S28]', () => {
  const nothing = fc.string({ unit: fc.constantFrom(' ', '\n', '\u200b', '\u3000', '\ufeff') })
  fc.assert(
    fc.property(nothing, nothing, (before, after) => {
      expect(isBlank(before + after)).toBe(true)
      expect(isBlank(`${before}é${after}`)).toBe(false)
    }),
  )
})

test.each([
  ['', 0],
  ['abc', 3],
  ['😀😀', 2],
  ['e\u0301', 1],
  ['é', 1],
  ['👩‍👧', 3],
  ['a\r\nb', 4],
])('the length of %j is %i [S28]', (text, length) => {
  expect(lengthInCodePoints(text)).toBe(length)
})

test('length is the number of code points after NFC [S28]', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(lengthInCodePoints(text)).toBe(Array.from(text.normalize('NFC')).length)
      expect(lengthInCodePoints(text.normalize('NFD'))).toBe(lengthInCodePoints(text))
    }),
  )
})

test('a preview of 100 characters ends in … only when something was cut [SRCH-05]', () => {
  expect(cut('a'.repeat(100), 100)).toBe('a'.repeat(100))
  expect(cut('a'.repeat(101), 100)).toBe(`${'a'.repeat(100)}…`)
  expect(cut('one\ntwo\nthree', 8)).toBe('one\ntwo\n…')
  expect(cut('a😀b', 2)).toBe('a😀…')
  expect(cut('😀😀', 2)).toBe('😀😀')
})

test('a preview is the beginning of the text and never ends in half a character [S28]', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 0, max: 30 }), (text, max) => {
      const preview = cut(text, max)
      const points = Array.from(text)
      expect(preview).toBe(points.length <= max ? text : `${points.slice(0, max).join('')}…`)
      expect(preview.isWellFormed()).toBe(true)
    }),
  )
})

test.each([
  ['', 0],
  ['  \n ', 0],
  ['one', 1],
  [' two  words\n', 2],
  ["don't stop\tnow\r\nplease", 4],
  ['well-known café', 2],
  ['山 の 歌', 3],
])('%j has %i words [COMP-21]', (text, words) => {
  expect(countWords(text)).toBe(words)
})

test('words are counted the same however much white space stands between them [COMP-21]', () => {
  const word = fc.stringMatching(/^[a-zé.,'-]{1,8}$/)
  const gap = fc.stringMatching(/^[ \n\t]{1,4}$/)
  fc.assert(
    fc.property(fc.array(word), gap, (words, between) => {
      expect(countWords(words.join(between))).toBe(words.length)
      expect(countWords(between + words.join(between) + between)).toBe(words.length)
    }),
  )
})
