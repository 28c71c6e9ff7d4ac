import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { countWords } from '#contract/text.ts'
import { wordsOf } from '#contract/text-words.ts'

test.each([
  ['', []],
  [' \n\t ', []],
  ['— … ?! *** 🖋️', []],
  ['one', ['one']],
  ['Two words.', ['Two', 'words']],
  ["don’t stop, l'été, rock ’n’ roll, writers’", ['don’t', 'stop', "l'été", 'rock', 'n', 'roll', 'writers']],
  ['a well-known state‑of‑the‑art', ['a', 'well-known', 'state‑of‑the‑art']],
  ['stay--gone, words:—“That', ['stay', 'gone', 'words', 'That']],
  ['- a dash - and -minus', ['a', 'dash', 'and', 'minus']],
  ['and/or', ['and', 'or']],
  ['1,000.5 pounds at 10:30, in 1984.', ['1,000.5', 'pounds', 'at', '10:30', 'in', '1984']],
  ['end.Start', ['end', 'Start']],
  ['e\u0301te\u0301 naïve', ['e\u0301te\u0301', 'naïve']],
  ['col·lecció', ['col·lecció']],
  ['Привет, мир', ['Привет', 'мир']],
  ['한국어 단어', ['한국어', '단어']],
  ['हिन्दी में', ['हिन्दी', 'में']],
  ['می\u200cخواهم بروم', ['می\u200cخواهم', 'بروم']],
  ['צה״ל', ['צה״ל']],
  ['𐐷𐐲𐑌', ['𐐷𐐲𐑌']],
])('the words of %j are %j [REP-02]', (text, words) => {
  expect(wordsOf(text)).toEqual(words)
})

test.each([
  ['我爱北京天安门。', ['我', '爱', '北京', '天安门']],
  ['2025年', ['2025', '年']],
  ['ラーメンとtea', ['ラーメン', 'と', 'tea']],
  ['ภาษาไทย สวย', ['ภาษา', 'ไทย', 'สวย']],
  ['ພາສາລາວ', ['ພາສາ', 'ລາວ']],
])('a writer without spaces has words as well: %s gives %j [REP-02]', (text, words) => {
  expect(wordsOf(text)).toEqual(words)
})

test.each(['ភាសាខ្មែរ', 'မြန်မာဘာသာ'])(
  'no letter of %s is lost, however it is split into words [REP-02]',
  (text) => {
    expect(wordsOf(text).join('')).toBe(text)
  },
)

test('every letter and digit is in a word, in order, and no other character is [REP-02]', () => {
  const unit = fc.constantFrom(...'aé1,.\'’-:— \n"ا한我ラーไท', '\u0301', '𠮷', '🖋️')
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
      const lettersOf = (some: string) => some.match(/[\p{L}\p{N}]/gu)?.join('') ?? ''
      expect(lettersOf(wordsOf(text).join(''))).toBe(lettersOf(text))
      for (const word of wordsOf(text)) expect(text).toContain(word)
    }),
  )
})

test('as many plain words are counted as white space separates [REP-02]', () => {
  const plain = fc.stringMatching(/^[a-zéß]{1,8}([-'’][a-z]{1,4})?[,;.!?]?$/)
  fc.assert(
    fc.property(fc.array(plain), fc.constantFrom(' ', '\n', ' \t '), (words, gap) => {
      expect(wordsOf(words.join(gap)).length).toBe(countWords(words.join(gap)))
    }),
  )
})

test('a text has the same words in another normal form [REP-02 S28]', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'aéöñçśж ,-') }), (text) => {
      const composed = wordsOf(text.normalize('NFC'))
      expect(wordsOf(text.normalize('NFD')).map((word) => word.normalize('NFC'))).toEqual(composed)
    }),
  )
})
