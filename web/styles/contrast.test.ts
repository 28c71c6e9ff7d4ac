import { expect, test } from 'vitest'
import tokens from './tokens.css?raw'

const text = 4.5
const large = 3

const themes = { day: 0, night: 1 } as const
type Theme = keyof typeof themes

// Every pair in use: the text, what it stands on.
const pages = ['paper', 'surface', 'sunk', 'glow']
const pairs: [string, string[]][] = [
  ['ink', pages],
  ['ink-soft', pages],
  ['lamp', pages],
  ['lamp-strong', pages],
  ['koenig', pages],
  ['good', pages],
  ['warn', pages],
  ['bad', pages],
  ...[1, 2, 3, 4, 5, 6].map((n): [string, string[]] => [`author-${n}`, pages]),
  ['on-lamp', ['lamp', 'lamp-strong']],
  ['on-koenig', ['koenig']],
  ['on-bad', ['bad', 'bad-strong']],
  ['paper', ['ink']],
  ['leaf-ink', ['leaf']],
  ['leaf-ink-soft', ['leaf']],
]
const edges: [string, string[]][] = [
  ['edge', pages],
  ['lamp', pages],
]

const cases = (table: [string, string[]][]) =>
  table.flatMap(([front, backs]) =>
    backs.flatMap((back) => (['day', 'night'] as const).map((theme) => ({ front, back, theme }))),
  )

test.each(cases(pairs))('people can read $front on $back by $theme', ({ front, back, theme }) => {
  expect(contrast(colour(front, theme), colour(back, theme))).toBeGreaterThanOrEqual(text)
})

test.each(cases(edges))(
  'people can see a control drawn in $front on $back by $theme',
  ({ front, back, theme }) => {
    expect(contrast(colour(front, theme), colour(back, theme))).toBeGreaterThanOrEqual(large)
  },
)

test('the measure itself is right', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

function colour(name: string, theme: Theme) {
  const found = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(tokens)?.[
    themes[theme] + 1
  ]
  if (!found) throw new Error(`no colour --${name}`)
  return found
}

/** The contrast ratio of WCAG 2. */
function contrast(one: string, other: string) {
  const [dark = 0, bright = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (bright + 0.05) / (dark + 0.05)
}

function luminance(hex: string) {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
