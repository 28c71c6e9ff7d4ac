import { expect, test } from 'vitest'
import { linesOf } from './lines.ts'
import { type FindWatched, readWatchedWords, watchedLineError, watchedPhraseMax } from './watched-words.ts'

function foundIn(text: string, find: FindWatched, max = 20) {
  const steps = find(text, max)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

test.each<[list: string, text: string, found: string[]]>([
  ['rain', 'It was a RAIN, again.', ['rain']],
  ['rain', 'A train in the rainstorm', []],
  ['café', 'At the Cafe\u0301 and the cafe', ['café']],
  ['cafe', 'Au CAFÉ', ['cafe']],
  ['straße', 'Die STRASSE', ['straße']],
  ['buy now', 'Buy,\n NOW!', ['buy now']],
  ['buy now', 'buy it now', []],
  ['buy now', 'buy buy now', ['buy now']],
  ['buy now please', 'now buy now', []],
  ['a b c\nb c\nc', 'a b c', ['a b c', 'b c', 'c']],
  ['a a b', 'a a a b', ['a a b']],
  ['well-known', 'a well known word', ['well-known']],
  ["don't", 'Don’t', ["don't"]],
  ['東京', '私は東京に', ['東京']],
  ['東京', '京東', []],
  ['  rain \n\n sun ', 'sun and rain', ['sun', 'rain']],
  ['.*', 'anything', []],
  ['a.c', 'abc a.c', ['a.c']],
  ['rain\nRain', 'rain', ['rain', 'Rain']],
  ['rain', 'ra\u200bin', ['rain']],
  ['rain', 'r\u2060a\ufeffi\u00adn\u{e0001}', ['rain']],
  ['buy now', 'b\u200buy no\u3164w', ['buy now']],
  ['rain', 'rain\u200bbow', ['rain']],
  ['rain\nbow', 'ra\u200bin, b\u200bow', ['rain', 'bow']],
  ['', 'rain', []],
])('the list %j and the text %j: %j is found [INST-06]', (list, text, found) => {
  expect(foundIn(text, readWatchedWords(list)).toSorted()).toEqual(found.toSorted())
})

test('at most as many words are named as the caller asks for [INST-06]', () => {
  const words = Array.from({ length: 30 }, (_, n) => `w${n}`)
  const find = readWatchedWords(words.join('\n'))
  expect(foundIn(words.join(' '), find)).toEqual(words.slice(0, 20))
  expect(foundIn(words.join(' '), find, 1)).toEqual(['w0'])
})

test('a line without a word, or with too many, is named as wrong [INST-06]', () => {
  const phrase = (length: number) => Array.from({ length }, () => 'a').join(' ')
  expect(watchedLineError('.*')).toBe('‘.*’ has no word.')
  expect(watchedLineError(phrase(watchedPhraseMax))).toBeUndefined()
  expect(watchedLineError(phrase(watchedPhraseMax + 1))).toContain('more than 8 words')
})

test('blank lines and white space around a line do not count [INST-06]', () => {
  expect(linesOf(' a \n\n\t\nb c')).toEqual(['a', 'b c'])
})

test('a long text is compared in steps, and a phrase over the end of a step is found [INST-06]', () => {
  const find = readWatchedWords('two words')
  const text = `${'a '.repeat(1999)}two words ${'a '.repeat(3000)}`
  expect([...find(text, 20)]).toHaveLength(2)
  expect(foundIn(text, find)).toEqual(['two words'])
})
