import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { coverPatterns } from '#contract/creators/creator.ts'
import { CreatorCover } from './CreatorCover.tsx'

const colorScheme = { primary: '#111111', secondary: '#222222', accent: '#333333', background: '#444444' }
const cover = (coverPattern: (typeof coverPatterns)[number], id = 'creator-1') =>
  renderToStaticMarkup(<CreatorCover creator={{ id, colorScheme, coverPattern }} className="h-full" />)

test.each(coverPatterns)(
  'the cover %s is drawn in the colours of its creator, and is the same each time [CRE-05]',
  (pattern) => {
    const drawn = cover(pattern)
    for (const color of ['primary', 'secondary', 'accent'] as const)
      expect(drawn).toContain(`color-mix(in oklab, ${colorScheme[color]} `)
    expect(drawn).not.toMatch(/NaN|undefined|Infinity/)
    expect(cover(pattern)).toBe(drawn)
    expect(cover(pattern, 'creator-2')).not.toBe(drawn)
  },
)

test('the covers of different patterns are different [CRE-05]', () => {
  expect(new Set(coverPatterns.map((pattern) => cover(pattern))).size).toBe(coverPatterns.length)
})

test('screen readers skip a cover, and it needs no inline style and no request [CRE-05]', () => {
  const drawn = cover('leaves')
  expect(drawn).toMatch(/^<svg aria-hidden="true" class="bg-sunk h-full"/)
  expect(drawn).not.toMatch(/style=|href|url\(/)
})
