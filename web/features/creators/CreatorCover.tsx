import type { ColorScheme, CoverPattern, Creator } from '#contract/creators/creator.ts'
import { seededRandom } from '#web/features/creators/seeded-random.ts'

const width = 320
const height = 120

/** A drawn cover, always the same for the same creator; it fills its box and is decoration only. */
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
      className={className}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="xMidYMid slice"
    >
      <path d={`M0 0h${width}v${height}H0z`} fill={creator.colorScheme.background} />
      {shapes.map(({ d, color, stroke }) => (
        <path
          key={`${color} ${d}`}
          d={d}
          fill={stroke ? 'none' : creator.colorScheme[color]}
          stroke={stroke ? creator.colorScheme[color] : 'none'}
          strokeWidth={stroke}
          strokeLinecap="round"
        />
      ))}
    </svg>
  )
}

interface Shape {
  d: string
  color: keyof ColorScheme
  /** Drawn as a line of this width; filled without it. */
  stroke?: number
}

type Draw = (random: () => number) => Shape[]

const patterns: Record<CoverPattern, Draw> = {
  waves: (random) =>
    inks.map((color, row) => {
      const y = 42 + row * 26
      const rise = 8 + whole(random, 12)
      const start = -whole(random, 60)
      return { color, d: `M${start} ${y}q20 ${-rise} 40 0${'t40 0'.repeat(9)}V${height}H${start}z` }
    }),

  dots: (random) =>
    inks.map((color, row) => ({
      color,
      stroke: 6 + row * 3,
      d: times(22, () => `M${whole(random, width)} ${whole(random, height)}h0`),
    })),

  leaves: (random) =>
    inks.map((color) => ({
      color,
      d: times(9, () => leaf(whole(random, width), whole(random, height), random() * Math.PI * 2)),
    })),

  lines: (random) =>
    inks.map((color, row) => ({
      color,
      stroke: 2 + row * 2,
      d: times(12, () => `M${whole(random, width + 80) - 80} ${height}l80 ${-height}`),
    })),

  arcs: (random) =>
    inks.map((color, row) => {
      const center = 50 + row * 110 + whole(random, 40)
      return { color, stroke: 5, d: times(5, (ring) => arc(center, 14 + ring * 16)) }
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

/** Two curves, from a stem to a tip and back. */
function leaf(x: number, y: number, angle: number): string {
  const [dx, dy] = [Math.round(Math.cos(angle) * 44), Math.round(Math.sin(angle) * 44)]
  const [outX, outY] = [Math.round(dx / 2 - dy / 3), Math.round(dy / 2 + dx / 3)]
  return `M${x} ${y}q${outX} ${outY} ${dx} ${dy}q${-outX} ${-outY} ${-dx} ${-dy}`
}
