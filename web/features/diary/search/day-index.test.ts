import { expect, test } from 'vitest'
import { wordsOf } from '#contract/search/words.ts'
import type { DayText } from '../day-texts.ts'
import { type SearchResult, DayIndex } from './day-index.ts'
import { needlesOf, spansOf, wordLineOf } from './word-line.ts'

const entry = (day: string, content: string, updatedAt = '2025-06-10T08:00:00.000Z'): DayText => ({
  kind: 'diary',
  day,
  content,
  updatedAt,
})

function indexOf(...texts: DayText[]) {
  const index = new DayIndex()
  index.take({ put: texts, removed: [] })
  return index
}
const find = (index: DayIndex, query: string, limit = 30) =>
  (index.take({ find: { query, limit } }) as { result: SearchResult }).result
const daysOf = (index: DayIndex, query: string) => find(index, query).found.map(({ day }) => day)
const marksOf = ({ found }: SearchResult) =>
  found.map(({ snippet: { text, marks } }) => marks.map(({ from, to }) => text.slice(from, to)))

/** Whether a text is found, and what of it is marked. */
const marked = (content: string, query: string) =>
  marksOf(find(indexOf(entry('2025-06-10', content)), query))[0]

test.each([
  // Beginnings of words, in any order.
  ['The lamp was lit at Whitehall.', 'lam', ['lamp']],
  ['The lamp was lit at Whitehall.', 'white lamp', ['lamp', 'Whitehall']],
  ['The lamp was lit at Whitehall.', 'hall', undefined],
  ['The lamp was lit at Whitehall.', 'lamp table', undefined],
  ['The lamp', '…', undefined],
  ['The lamp', ' \n ', undefined],
  // Phrases: whole words in their order, over signs and lines.
  ['up, and\nto the office', '"up and to"', ['up, and\nto']],
  ['and up to the office', '"up and"', undefined],
  ['and to the office', '"to the off"', undefined],
  ['and to the office', '“to the office”', ['to the office']],
  ['and to the office', '„to the“ and', ['and', 'to the']],
  // A quote that is not closed yet.
  ['and to the office', '"to the off', ['to the office']],
  // Pieces with a sign inside stand together.
  ['I don’t know', "don't", ['don’t']],
  ['Don is at T. Square', "don't", undefined],
  ['10:30, the well-known hour', 'well-kn', ['well-known']],
  // Case and accents.
  ['Ein Gruß aus der STRASSE', 'strasse grüss', ['Gruß', 'STRASSE']],
  ['Café Żółw Đorđe', 'cafe zolw dorde', ['Café', 'Żółw', 'Đorđe']],
  ['Cafe\u0301 at noon', 'café', ['Cafe\u0301']],
  ['ΟΔΥΣΣΕΎΣ', 'οδυσσευς', ['ΟΔΥΣΣΕΎΣ']],
  ['ﬁre of Ａｎａ', 'fire ana', ['ﬁre', 'Ａｎａ']],
  // Right to left, with and without vowel points.
  ['אמר שָׁלוֹם לכולם', 'שלום', ['שָׁלוֹם']],
  ['قَالَ السَّلَامُ', 'السلام', ['السَّلَامُ']],
  // Scripts without spaces: letters that follow each other, anywhere.
  ['今日は天気がいい。', '天気', ['天気']],
  ['今日。本当', '日本', undefined],
  ['日本語を書く', '"本語"', ['本語']],
  ['か\u3099くせい', 'がく', ['か\u3099く']],
  ['2020年の夏', '2020年', ['2020年']],
  ['สวัสดีชาวโลก', 'ชาว', ['ชาว']],
  // Emoji stand between words, and no mark is off by their length.
  ['👩‍👩‍👧 the lamp 🏮 lit', 'lamp lit', ['lamp', 'lit']],
  ['🏮🏮🏮', '🏮', undefined],
  // Signs with a meaning in a pattern are none here.
  ['a.b [c] (d) \\e', 'c] (d', ['c', 'd']],
])('of %j the query %j finds %j [OWN-16]', (content, query, words) => {
  expect(marked(content, query)).toEqual(words)
})

test('results are the newest first with a count for each year, and a limit cuts the list alone [OWN-16]', () => {
  const index = indexOf(
    entry('2016-06-10', 'lamp'),
    entry('2024-06-10', 'lamp'),
    { ...entry('2024-06-10', 'lamp'), kind: 'note' },
    entry('2024-06-11', 'lamp'),
    entry('2025-01-01', 'table'),
  )
  const { years, found } = find(index, 'lamp', 3)
  expect(years).toEqual([
    { year: '2024', count: 3 },
    { year: '2016', count: 1 },
  ])
  expect(found.map(({ day, kind }) => `${day} ${kind}`)).toEqual([
    '2024-06-11 diary',
    '2024-06-10 diary',
    '2024-06-10 note',
  ])
  expect(find(index, '').years).toEqual([])
})

test('a changed text is found by its new words alone, and a removed one is not found [OWN-16]', () => {
  const index = indexOf(entry('2025-06-10', 'lamp'), entry('2025-06-11', 'lamp'))
  index.take({ put: [entry('2025-06-10', 'table')], removed: [] })
  expect([daysOf(index, 'lamp'), daysOf(index, 'table')]).toEqual([['2025-06-11'], ['2025-06-10']])
  expect(index.take({ put: [], removed: ['2025-06-11 diary'] })).toEqual({ indexed: 1 })
  expect(daysOf(index, 'lamp')).toEqual([])
})

test('a snippet has the most words of the query, begins with a word and ends with a whole character [OWN-16]', () => {
  const far = `The lamp. ${'So it went on and on. '.repeat(40)}At night the lamp stood on the table. ${'🏮'.repeat(200)}`
  const { snippet } = find(indexOf(entry('2025-06-10', far)), 'lamp table').found[0]!
  expect(snippet.text).toMatch(
    /^…on\. So it went on and on\. At night the lamp stood on the table\. (🏮)+…$/u,
  )
  expect(snippet.marks.map(({ from, to }) => snippet.text.slice(from, to))).toEqual(['lamp', 'table'])
})

test('the longest day is found at its end in a moment, whatever its text is [OWN-16]', () => {
  const texts = [
    `${'a '.repeat(99_990)}lamp`,
    `${'x'.repeat(199_990)} lamp`,
    `${'e\u0301\u0302 '.repeat(49_990)} lamp`,
    `${'\u0301'.repeat(199_990)} lamp`,
    `${'日本'.repeat(99_990)} lamp`,
    `${'🏮'.repeat(99_990)} lamp`,
    `${'שָׁלוֹם '.repeat(24_000)} lamp`,
    `${'က\u102b'.repeat(99_990)} lamp`,
  ]
  const index = new DayIndex()
  const start = performance.now()
  index.take({ put: texts.map((text, n) => entry(`2025-01-0${n + 1}`, text)), removed: [] })
  const answers = ['lamp', 'a', '日', '"日本日本"', 'שלום'].map((query) => find(index, query))
  // Some seconds would mean that the time grows with the square of the length.
  expect(performance.now() - start).toBeLessThan(10_000)
  expect(answers.map(({ found }) => found.length)).toEqual([8, 1, 1, 1, 1])
  expect(marksOf(answers[0]!)).toEqual(texts.map(() => ['lamp']))
})

test('wherever a word stands, its mark is that word [OWN-16]', () => {
  const text = Array.from(
    { length: 1000 },
    (_, n) => ['Straße', 'été', '日本', '🏮', 'ﬁn', 'שָׁלוֹם'][n % 6] + `${n}`,
  ).join(' ')
  const words = wordLineOf(text)
  const all = [...wordsOf(text)]
  // These stand apart from the word before them, near and far from where every 64th word stands.
  for (const n of [2, 3, 62, 63, 68, 500, 999]) {
    const { from, to } = all.find(({ word }) => word === String(n))!
    expect(spansOf(text, words, needlesOf(`"${n}"`), 10)).toEqual([{ from, to, needle: 0 }])
  }
})
