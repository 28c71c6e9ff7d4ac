// @vitest-environment node
import { expect, test } from 'vitest'
import type { SavedText } from '#contract/saving/saved-text.ts'
import { pdfParts } from '../pdf-parts.ts'
import { makePdf } from './make-pdf.ts'
import { hasPdftotext, loadFont, textOf } from './testing.ts'

const aText = (more: Partial<SavedText> = {}): SavedText => ({
  fileTitle: 'The train',
  title: 'The train',
  introduction: '',
  note: 'Ana Lima · June 10, 2025',
  parts: [{ heading: null, content: 'It left at ten.' }],
  contributors: [],
  ...more,
})
const pdfOf = async (text: SavedText) => (await makePdf(text.title, pdfParts(text), loadFont, () => {})).file
const linesOf = async (text: SavedText) => (await textOf(await pdfOf(text))).match(/\S.*/g)

test('a post as PDF has its title, then author and time, then its text [OWN-08]', async ({ skip }) => {
  skip(!hasPdftotext, 'pdftotext is not installed')
  expect(await linesOf(aText())).toEqual(['The train', 'Ana Lima · June 10, 2025', 'It left at ten.'])
})

test('a story as PDF has its description, each passage under its author, and the contributors [OWN-08]', async ({
  skip,
}) => {
  skip(!hasPdftotext, 'pdftotext is not installed')
  const story = aText({
    introduction: 'By the river',
    note: 'June 10, 2025',
    parts: [
      { heading: 'Ana Lima', content: 'It rained.\nStill,' },
      { heading: 'Deleted user', content: 'somebody sang.' },
    ],
    contributors: [{ name: 'Ana Lima', contribution: '3 words, 60%' }],
  })
  expect(await linesOf(story)).toEqual([
    'The train',
    'June 10, 2025',
    'By the river',
    'Ana Lima',
    'It rained.',
    'Still,',
    'Deleted user',
    'somebody sang.',
    'Contributors',
    'Ana Lima: 3 words, 60%',
  ])
})

test('a conversation as PDF has each message under its sender and its time, also from right to left [OWN-24]', async ({
  skip,
}) => {
  skip(!hasPdftotext, 'pdftotext is not installed')
  const heading = 'Ben · Tuesday, June 10, 2025 at 11:59'
  const lines = await linesOf(
    aText({
      title: 'שלום',
      note: '2 messages',
      parts: [
        { heading, content: 'Yes.' },
        { heading, content: 'עולם' },
      ],
    }),
  )
  expect(lines!.map((line) => line.replace(/[\u200e\u200f\u202a-\u202e]/g, '').trim())).toEqual([
    'שלום',
    '2 messages',
    heading,
    'Yes.',
    heading,
    'עולם',
  ])
})

test('a long title and a long heading go on in the next line, and nothing lies on them [OWN-08 OWN-24]', async ({
  skip,
}) => {
  skip(!hasPdftotext, 'pdftotext is not installed')
  const long = Array.from({ length: 30 }, (_, i) => `word${i}`).join(' ')
  const file = await pdfOf(aText({ title: long, note: long.replaceAll('word', 'note') }))
  const words = [...(await textOf(file, '-bbox')).matchAll(/yMin="([\d.]+)".*yMax="([\d.]+)">(.*)</g)].map(
    ([, top, bottom, text]) => ({ top: Number(top), bottom: Number(bottom), text }),
  )
  expect(words.filter(({ text }) => /^(word|note)\d+$/.test(text!))).toHaveLength(60)
  const topOf = (word: string) => words.find(({ text }) => text === word)!.top
  expect(topOf('word29')).toBeGreaterThan(topOf('word0'))
  expect(topOf('note0')).toBeGreaterThan(topOf('word29'))
  expect(topOf('note29')).toBeGreaterThan(topOf('note0'))
  expect(topOf('It')).toBeGreaterThan(topOf('note29'))
})

test('a hostile title is one text in the file [OWN-08 S37]', async () => {
  const file = await pdfOf(aText({ title: ') /OpenAction << /JS (x) >> (' }))
  const bytes = new TextDecoder('latin1').decode(await file.arrayBuffer())
  expect(bytes).toContain('(\\) /OpenAction << /JS \\(x\\) >> \\()')
})
