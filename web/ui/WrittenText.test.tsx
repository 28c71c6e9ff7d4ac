import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { WrittenText } from './WrittenText.tsx'

afterEach(cleanup)

const linesOf = (text: string) => {
  const { container } = render(<WrittenText text={text} />)
  return {
    title: screen.queryByRole('heading', { level: 2 })?.textContent,
    lines: Array.from(container.querySelectorAll('.verse-line'), ({ textContent }) => textContent),
    all: container.textContent,
  }
}

test('a reader sees the title of a poem, and each of its lines by itself, blank ones too', () => {
  expect(linesOf('Rain\n\nIt rained\nall night.\n\nIt was\nlate.')).toEqual({
    title: 'Rain',
    lines: ['It rained\n', 'all night.\n', '\n', 'It was\n', 'late.'],
    all: 'RainIt rained\nall night.\n\nIt was\nlate.',
  })
})

test('a reader sees prose without a title as its author typed it', () => {
  const prose = 'It left at ten with nobody in it but me and a man asleep under his hat.\nSo I read.'
  expect(linesOf(prose)).toEqual({ title: undefined, lines: [], all: prose })
})

test('each line of verse has the direction of its own letters', () => {
  const { container } = render(<WrittenText text={'It rained\nשלום\nall night.'} />)
  const lines = [...container.querySelectorAll('.verse-line')]
  expect(lines.map((line) => line.getAttribute('dir'))).toEqual(['auto', 'auto', 'auto'])
})

test.each(['h2', 'span'] as const)(
  'lines of verse under a title in %s are apart where styles are missing',
  (titleAs) => {
    const { container } = render(<WrittenText text={'Rain\n\nIt rained\nall night.'} titleAs={titleAs} />)
    const isApart = (line: Element) => line.tagName === 'DIV' || line.lastElementChild?.tagName === 'BR'
    expect(isApart(container.querySelector('.verse-line')!)).toBe(true)
  },
)
