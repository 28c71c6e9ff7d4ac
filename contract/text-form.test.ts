import { expect, test } from 'vitest'
import { formOf, withTitle } from '#contract/text-form.ts'

const widest =
  'The lamp was lit before the rain began, and nobody who passed could say by whom it was, or why'
/** Lines of these lengths, all of them made of words. */
const linesOf = (...lengths: number[]) =>
  lengths.map((length) => `${widest.slice(0, length - 1)}.`).join('\n')

const longLine = 'It left at ten with nobody in it but me and a man asleep under his hat, so I read.'

/** The text with line breaks where a line of so many columns ends. */
const wrapped = (text: string, columns: number) =>
  text.replace(new RegExp(`(?=.{${columns + 1}})(.{1,${columns}}) `, 'g'), '$1\n')

test.each<[what: string, text: string, title: string | null, body: string]>([
  ['a first line before a blank line', 'The train\n\nIt left at ten.', 'The train', 'It left at ten.'],
  ['a line with white space below it', 'The train\n \t\n\nIt left.', 'The train', 'It left.'],
  ['a line after blank lines', '\n\n  The train \n\nIt left.', 'The train', 'It left.'],
  ['an indented first line of the body', 'The train\n\n  It left.\nSo', 'The train', '  It left.\nSo'],
  ['80 characters', `${'é'.repeat(80)}\n\nIt left.`, 'é'.repeat(80), 'It left.'],
  ['80 characters outside the basic plane', `${'😀'.repeat(80)}\n\nx`, '😀'.repeat(80), 'x'],
  ['81 characters', `${'a'.repeat(81)}\n\nIt left.`, null, `${'a'.repeat(81)}\n\nIt left.`],
  ['a line with a line right below it', 'The train\nIt left.', null, 'The train\nIt left.'],
  ['one line alone', 'The train', null, 'The train'],
  ['one line with blank lines below it', 'The train\n\n \n', null, 'The train\n\n \n'],
  ['no text', ' \n\n', null, ' \n\n'],
])('%s has this title and this body', (_what, text, title, body) => {
  expect(formOf(text)).toMatchObject({ title, body })
})

test.each<[isVerse: boolean, what: string, text: string]>([
  [true, 'two short lines', 'The heron waits.\nNobody asked it to.'],
  [true, 'a title and a stanza', 'Rain\n\nIt rained all night\nand nobody slept.'],
  [true, 'couplets', 'One here\ntwo there\n\nthree here\nfour there\n\nfive here\nsix there'],
  [true, 'stanzas with one long line', `Short\n${longLine}\nshort again\n\nand short\nonce more`],
  [
    true,
    'two stanzas of long lines',
    `So I read, and the man slept on while the fields went by outside.\n${longLine}\n\n${longLine}\nIt ended.`,
  ],
  [
    true,
    'a title, stanzas of long lines and a refrain',
    `Rain\n\n${longLine}\nIt rained.\n\nIt rained.\n\n${longLine}\nIt ended.`,
  ],
  [true, 'stanzas with a line of 199 characters', `${'a'.repeat(199)}\nb\n\n${longLine}\n${longLine}`],
  [true, 'couplets of lines that are equally wide', `Rain\n\n${linesOf(92, 82)}\n\n${linesOf(90, 17)}`],
  [true, 'quatrains of long lines', `${linesOf(91, 92, 90, 92)}\n\n${linesOf(92, 91, 92, 90)}`],
  [
    false,
    'paragraphs of five lines that are equally wide',
    `${linesOf(91, 92, 90, 92, 92)}\n\n${linesOf(92, 91)}`,
  ],
  [false, 'paragraphs of few lines of 80 columns', `${linesOf(78, 80, 30)}\n\n${linesOf(80, 79, 80)}`],
  ...[72, 80].map((columns): [boolean, string, string] => [
    false,
    `paragraphs of more than four lines of ${columns} columns`,
    wrapped(`${`${widest} `.repeat(6)}\n\n${`${widest} `.repeat(5)}`, columns),
  ]),
  [false, 'stanzas with a line of 200 characters', `${'a'.repeat(200)}\nb\n\n${longLine}\n${longLine}`],
  [
    false,
    'paragraphs that an editor broke at 72 columns',
    wrapped(`${longLine} ${longLine}\n\n${longLine} It ended.`, 72),
  ],
  [false, 'one short line', 'The heron waits.'],
  [false, 'a title and one short line', 'Rain\n\nIt rained all night.'],
  [false, 'short paragraphs', 'It rained.\n\nNobody slept.\n\nIn the morning it stopped.'],
  [false, 'long lines below each other', `${longLine}\n${longLine}\nIt ended.`],
  [false, 'half of the lines short', `${longLine}\nIt ended.`],
  [false, 'no text', ' \n\n'],
])('it is %s that a text is verse when it is made of %s', (isVerse, _what, text) => {
  expect(formOf(text).isVerse).toBe(isVerse)
})

test.each([
  ['The train', 'It left.', 'The train\n\nIt left.'],
  ['', 'It left.', 'It left.'],
  [' ', 'It left.', 'It left.'],
  ['The train', '', 'The train'],
])('a title %j above %j is written as %j', (title, body, text) => {
  expect(withTitle(title, body)).toBe(text)
})

test('the form that an author chose is taken instead of the guess [LOOP-04]', () => {
  const [verse, prose] = ['The heron waits.\nNobody asked it to.', longLine]
  expect([formOf(verse).isVerse, formOf(verse, 'prose').isVerse]).toEqual([true, false])
  expect([formOf(prose).isVerse, formOf(prose, 'verse').isVerse]).toEqual([false, true])
  expect(formOf(verse, null).isVerse).toBe(true)
})
