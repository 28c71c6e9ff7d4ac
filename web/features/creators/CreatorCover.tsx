import type { ColorScheme, CoverPattern, Creator } from '#contract/creators/creator.ts'
import { cx } from '#web/ui/cx.ts'
import { seededRandom } from './seeded-random.ts'

const width = 320
const height = 120

/**
 * A line drawing in the colours of its creator, always the same for the same creator. The colours are mixed with those
 * of the theme, so that the lines can be seen by day and by night. The drawing fills its box and is decoration only.
 */
export function CreatorCover({
  creator,
  className,
}: {
  creator: Pick<Creator, 'id' | 'colorScheme' | 'coverPattern'>
  className?: string | undefined
}) {
  const shapes = patterns[creator.coverPattern](seededRandom(creator.id))
  return (
    <svg
      aria-hidden="true"
      className={cx('bg-sunk', className)}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="xMidYMid slice"
    >
      {shapes.map(({ d, color, stroke = 1.5 }) => (
        <path
          key={`${color} ${d}`}
          d={d}
          fill="none"
          stroke={`color-mix(in oklab, ${creator.colorScheme[color]} 60%, var(--ink-soft))`}
          strokeWidth={stroke}
          strokeLinecap="round"
        />
      ))}
    </svg>
  )
}

/** The cover of a person who has chosen none: always the same for the same id, in the colours of the theme. */
export function AuthorCover({ id, className }: { id: string; className?: string }) {
  const names = Object.keys(patterns) as CoverPattern[]
  const coverPattern = names[whole(seededRandom(id), names.length)]!
  return <CreatorCover creator={{ id, colorScheme: themeColors, coverPattern }} className={className} />
}

const themeColors: ColorScheme = {
  primary: 'var(--lamp)',
  secondary: 'var(--koenig)',
  accent: 'var(--good)',
  background: 'var(--sunk)',
}

interface Shape {
  d: string
  color: keyof ColorScheme
  /** The width of the line. */
  stroke?: number
}

type Draw = (random: () => number) => Shape[]

const patterns: Record<CoverPattern, Draw> = {
  waves: (random) =>
    inks.map((color, row) => {
      const y = 42 + row * 26
      const rise = 8 + whole(random, 12)
      const start = -whole(random, 60)
      return { color, d: `M${start} ${y}q20 ${-rise} 40 0${'t40 0'.repeat(9)}` }
    }),

  dots: (random) =>
    inks.map((color, row) => ({
      color,
      stroke: 3 + row,
      d: times(22, () => `M${whole(random, width)} ${whole(random, height)}h0`),
    })),

  leaves: (random) =>
    inks.map((color) => ({
      color,
      d: times(9, () => leaf(whole(random, width), whole(random, height), random() * Math.PI * 2)),
    })),

  lines: (random) =>
    inks.map((color) => ({
      color,
      d: times(12, () => `M${whole(random, width + 80) - 80} ${height}l80 ${-height}`),
    })),

  arcs: (random) =>
    inks.map((color, row) => {
      const center = 50 + row * 110 + whole(random, 40)
      return { color, d: times(5, (ring) => arc(center, 14 + ring * 16)) }
    }),

  grid: (random) => {
    const cells = Array.from({ length: 16 * 6 }, (_, cell) => ({ cell, ink: whole(random, 5) }))
    return inks.map((color, row) => ({
      color,
      d: cells
        .filter(({ ink }) => ink === row)
        .map(({ cell }) => `M${(cell % 16) * 20 + 2} ${Math.floor(cell / 16) * 20 + 2}h16v16h-16z`)
        .join(''),
    }))
  },
}

const inks = ['secondary', 'primary', 'accent'] as const

const whole = (random: () => number, below: number) => Math.floor(random() * below)

const times = (count: number, path: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => path(index)).join('')

const arc = (center: number, radius: number) =>
  `M${center - radius} ${height}a${radius} ${radius} 0 0 1 ${2 * radius} 0`

/** A leaf: two curves, from the stem to the tip and back. */
function leaf(x: number, y: number, angle: number): string {
  const [dx, dy] = [Math.round(Math.cos(angle) * 44), Math.round(Math.sin(angle) * 44)]
  const [outX, outY] = [Math.round(dx / 2 - dy / 3), Math.round(dy / 2 + dx / 3)]
  return `M${x} ${y}q${outX} ${outY} ${dx} ${dy}q${-outX} ${-outY} ${-dx} ${-dy}`
}
