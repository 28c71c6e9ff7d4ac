import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  countWords,
  cut,
  fits,
  hasRefusedCharacters,
  hasTooManyMarks,
  isBlank,
  lengthInCodePoints,
  nfc,
  withLf,
} from '#contract/text.ts'

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

test('a text is refused exactly when it contains U+0000 or half a character [S28]', () => {
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
  ['\u115f\u1160\uffa0', true],
  ['\u2800', true],
  ['\u0001\u007f\u009f', true],
  ['\u070f\ufff9\ufffa\ufffb\ufffc', true],
  ['\ufdd0\uffff\u{1ffff}', true],
  ['\u{13430}\u{13441}\u{13442}\u{16fe4}\u{1d159}', true],
  ['\u2800.', false],
  ['\u2801', false],
  ['\u{13000}', false],
  ['\ue000', false],
  ['☀', false],
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

test.each([
  ['30 marks on one letter', `a${'\u0301\u0323'.repeat(15)}`, false],
  ['31 marks on one letter', `a${'\u0301\u0323'.repeat(15)}\u0327`, true],
  ['31 marks of one kind', `a${'\u0301'.repeat(31)}`, true],
  ['31 marks without a letter', '\u0323'.repeat(31), true],
  ['31 marks outside the BMP', `a${'\u{1d165}'.repeat(31)}`, true],
  ['31 marks after text', `${'é'.repeat(500)}${'\u0301'.repeat(31)}b`, true],
  ['60 marks on two letters', `a${'\u0301'.repeat(30)}b${'\u0323'.repeat(30)}`, false],
  // A grapheme joiner ends a run for the normaliser, but is a mark too.
  ['marks joined by U+034F', `a${`${'\u0301'.repeat(10)}\u034f`.repeat(3)}`, true],
])('a text with %s has too many marks: %s [S51]', (_what, text, tooMany) => {
  expect(hasTooManyMarks(text)).toBe(tooMany)
})

test('every code point that a normaliser moves counts as a mark [S51]', () => {
  const missed = codePoints().filter((point) => {
    const isMoved = `a\u0345${point}`.normalize('NFD') !== `a\u0345${point.normalize('NFD')}`
    return isMoved && !hasTooManyMarks(point.repeat(31))
  })
  expect(missed).toEqual([])
})

test('no text in use has too many marks in a row [S51]', () => {
  const samples = [
    'בְּרֵאשִׁ֖ית בָּרָ֣א אֱלֹהִ֑ים אֵ֥ת הַשָּׁמַ֖יִם וְאֵ֥ת הָאָֽרֶץ׃',
    'بِسْمِ ٱللَّهِ ٱلرَّحْمَٰنِ ٱلرَّحِيمِ ۝ ٱلْحَمْدُ لِلَّهِ رَبِّ ٱلْعَٰلَمِينَ',
    'ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ། ཧྐྵྨླྺྼྻྂ བསྒྲུབས་རྫོགས',
    'नमस्ते। क्षत्रियः श्रीमद्भगवद्गीता त्र्यम्बकं यजामहे',
    'ที่นี่มีน้ำใสไหลเย็นเห็นตัวปลา กตัญญูกตเวที',
    'မြန်မာဘာသာ က္ကျြွှေို့ ຂໍ້ຄວາມ ភាសាខ្មែរ ស្ត្រី்',
    'Trăm năm trong cõi người ta, chữ tài chữ mệnh khéo là ghét nhau'.normalize('NFD'),
    '한국어는 조합형으로도 쓴다 ᄒᆞᆫ글'.normalize('NFD'),
    '👨‍👩‍👧‍👦 🏳️‍🌈 👩🏽‍🚀 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣ ❤️‍🔥',
    '𝅘𝅥𝅮 ⰰⰱ𞀀 ᾂ ǖ Ǻ ẫ',
  ]
  for (const text of samples)
    for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'])
      expect(hasTooManyMarks(text.normalize(form))).toBe(false)
})

test('a text with too many marks is counted as typed, without delay, however long it is [S51]', () => {
  const hostile = `a${'\u0301\u0323'.repeat(250_000)}`
  expect(nfc(hostile)).toBe(hostile)
  const start = performance.now()
  expect(lengthInCodePoints(hostile)).toBe(500_001)
  // Normalising it takes a minute.
  expect(performance.now() - start).toBeLessThan(1000)
})

test('a text fits when it has at most so many characters, and one that cannot fit is not normalised [S28 S51]', () => {
  expect(fits('é'.repeat(50), 50)).toBe(true)
  expect(fits('e\u0301'.repeat(50), 50)).toBe(true)
  expect(fits('e\u0301'.repeat(51), 50)).toBe(false)
  expect(fits('\u1f82'.normalize('NFD').repeat(50), 50)).toBe(true)
  expect(fits(`\u1f82${'\u0301'.repeat(1e7)}`, 50)).toBe(false)
  expect(codePoints().filter((point) => !fits(point.normalize('NFD'), lengthInCodePoints(point)))).toEqual([])
})

test('a long text fits exactly when its length in NFC does, whatever it is made of [S28 S51]', () => {
  const changing = codePoints().filter((point) => [...point.normalize('NFD')].length > 1)
  // The Korean syllables differ only in their letters.
  for (const point of changing.filter((each, at) => !/\p{Script=Hangul}/u.test(each) || at % 100 === 0))
    for (const each of [point, point.normalize('NFD')]) {
      const text = 'x'.repeat(9999) + each
      const length = lengthInCodePoints(text)
      expect([each, fits(text, length), fits(text, length - 1)]).toEqual([each, true, false])
      const long = each.repeat(3)
      expect([each, fits(long, lengthInCodePoints(long) - 1)]).toEqual([each, false])
    }
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

test('the count of words does not depend on the amount of white space between them [COMP-21]', () => {
  const word = fc.stringMatching(/^[a-zé.,'-]{1,8}$/)
  const gap = fc.stringMatching(/^[ \n\t]{1,4}$/)
  fc.assert(
    fc.property(fc.array(word), gap, (words, between) => {
      expect(countWords(words.join(between))).toBe(words.length)
      expect(countWords(between + words.join(between) + between)).toBe(words.length)
    }),
  )
})

/** Every code point of the planes that hold marks and what composes with them. */
const codePoints = () =>
  Array.from({ length: 0x20000 }, (_, point) => point)
    .filter((point) => point < 0xd800 || point > 0xdfff)
    .map((point) => String.fromCodePoint(point))
