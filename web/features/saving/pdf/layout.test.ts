import { expect, test } from 'vitest'
import { paper, placeEntry, placeHead, sizes } from './layout.ts'
import { wrap } from './wrap.ts'

test('a writer finds every page begun at 30 and every entry spaced by its lines times 5 plus 15 [DIARY-41 DIARY-45]', () => {
  const one = placeEntry(placeHead(1).next, 1)
  expect(one.dates).toEqual([{ page: 0, y: 30 }])
  expect(one.next).toEqual({ page: 0, y: 50 })
  const ten = placeEntry(one.next, 10)
  expect(ten.dates).toEqual([{ page: 0, y: 50 }])
  expect(ten.lines).toHaveLength(10)
  expect(ten.next).toEqual({ page: 0, y: 115 })
})

test.each([
  [249.9, { page: 0, y: 249.9 }],
  [250, { page: 0, y: 250 }],
  [250.1, { page: 1, y: 30 }],
])('an entry that begins at %d is on its page or begins the next page [DIARY-41 DIARY-42]', (y, date) => {
  expect(placeEntry({ page: 0, y }, 1).dates).toEqual([date])
})

test('title, date and body have the sizes 18, 12 and 10, and the text is 170 wide [DIARY-43 DIARY-44]', () => {
  expect(sizes).toEqual({ title: 18, date: 12, body: 10 })
  expect(paper.textWidth).toBe(170)
})

test('a long entry continues on the next pages, with all its lines and none below 250 [DIARY-42 DIARY-46]', () => {
  const { dates, lines, next } = placeEntry({ page: 0, y: 230 }, 100)
  expect(dates).toEqual([{ page: 0, y: 230 }])
  expect(lines.slice(0, 5)).toEqual([
    { page: 0, y: 237 },
    { page: 0, y: 242 },
    { page: 0, y: 247 },
    { page: 1, y: 30 },
    { page: 1, y: 35 },
  ])
  expect(lines).toHaveLength(100)
  expect(lines.at(-1)).toEqual({ page: 3, y: 60 })
  expect(next).toEqual({ page: 3, y: 73 })
})

test('a date at the end of a page has the first line of its entry below it [DIARY-46]', () => {
  const { dates, lines } = placeEntry({ page: 0, y: 250 }, 2)
  expect(dates).toEqual([{ page: 0, y: 250 }])
  expect(lines).toEqual([
    { page: 0, y: 257 },
    { page: 1, y: 30 },
  ])
})

const letters = (text: string) => [...text].length

test.each([
  ['one two three four', 9, ['one two ', 'three ', 'four']],
  ['one', 9, ['one']],
  ['', 9, ['']],
  ['    indented as typed', 13, ['    indented ', 'as typed']],
  ['abcdefghijkl', 5, ['abcde', 'fghij', 'kl']],
  ['今天天气很好，我们去公园', 6, ['今天天气很', '好，我们去公', '园']],
])('%j is broken into lines of the width, with all its letters [DIARY-43]', (text, width, lines) => {
  expect(wrap(text, width, letters)).toEqual(lines)
  expect(lines.join('')).toBe(text)
})
