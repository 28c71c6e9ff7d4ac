import { expect, test } from 'vitest'
import { type Accent, accentNames, accents } from '#contract/instance/accents.ts'
import { iconOf } from '#contract/instance/icons.ts'
import accentStyles from './accents.css?raw'
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
  ['koenig', pages],
  ['good', pages],
  ['warn', pages],
  ['bad', pages],
  ...[1, 2, 3, 4, 5, 6].map((n): [string, string[]] => [`author-${n}`, pages]),
  ['on-koenig', ['koenig']],
  ['on-bad', ['bad', 'bad-strong']],
  ['paper', ['ink']],
  ['leaf-ink', ['leaf']],
  ['leaf-ink-soft', ['leaf']],
]
const edges: [string, string[]][] = [['edge', pages]]

// Every pair of which one is the accent: it is a link, a button, the edge of a control, and the ring of the focus.
const accentPairs: [string, string[]][] = [
  ['lamp', pages],
  ['lamp-strong', pages],
  ['on-lamp', ['lamp', 'lamp-strong']],
]

interface Pair {
  front: string
  back: string
  theme: Theme
}

const cases = (table: [string, string[]][]) =>
  table.flatMap(([front, backs]) =>
    backs.flatMap((back) => (['day', 'night'] as const).map((theme): Pair => ({ front, back, theme }))),
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

test.each(
  accentNames.flatMap((accent) =>
    cases(accentPairs).map((pair): Pair & { accent: Accent } => ({ accent, ...pair })),
  ),
)(
  'people can read $front on $back by $theme where the accent is $accent [INST-01]',
  ({ accent, front, back, theme }) => {
    const colourOf = (name: string) =>
      name.includes('lamp') ? accentColour(accent, name, theme) : colour(name, theme)
    expect(contrast(colourOf(front), colourOf(back))).toBeGreaterThanOrEqual(text)
  },
)

test.each(accentNames)(
  'mails, pictures and icons have the accent %s of pages, which people can read on each of them [INST-01]',
  (accent) => {
    for (const theme of ['day', 'night'] as const) {
      const { lamp, onLamp } = accents[accent][theme]
      expect(lamp).toBe(accentColour(accent, 'lamp', theme))
      expect(onLamp).toBe(accentColour(accent, 'on-lamp', theme))
    }
    const [, ground] = /<rect [^>]*fill="(#\w{6})"/.exec(iconOf('mark', accent))!
    expect(contrast(accents[accent].night.lamp, ground!)).toBeGreaterThanOrEqual(large)
  },
)

test('a page without a choice has the default accent, and no two accents have one colour [INST-01]', () => {
  expect(accentStyles).toContain(":root,\n[data-accent='lamp'] {")
  expect([...accentStyles.matchAll(/\[data-accent='(\w+)'\]/g)].map(([, name]) => name)).toEqual(accentNames)
  expect(tokens).not.toMatch(/--(on-)?lamp(-strong)?:/)
  for (const theme of ['day', 'night'] as const)
    expect(new Set(accentNames.map((name) => accents[name][theme].lamp)).size).toBe(accentNames.length)
})

test('the measure itself is right', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

const colour = (name: string, theme: Theme) => colourIn(tokens, name, theme)

function accentColour(accent: Accent, name: string, theme: Theme) {
  const [, styles] = new RegExp(`\\[data-accent='${accent}'\\] {([^}]*)}`).exec(accentStyles) ?? []
  return colourIn(styles ?? '', name, theme)
}

function colourIn(styles: string, name: string, theme: Theme) {
  const found = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(styles)?.[
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
