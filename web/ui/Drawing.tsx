import { LineDrawing, pageDrawing } from './LineDrawing.tsx'

export type DrawingOf = keyof typeof drawings

/** A small line drawing for an empty or failed state. */
export const Drawing = ({ of }: { of: DrawingOf }) => <LineDrawing {...drawings[of]} />

const drawings = {
  page: pageDrawing,
  book: {
    ink: 'M48 26c-8-6-20-8-32-7v38c12-1 24 1 32 7 8-6 20-8 32-7V19c-12-1-24 1-32 7zM48 26v38M24 30c6 0 11 1 16 3M24 39c6 0 11 1 16 3M72 30c-6 0-11 1-16 3',
    light: 'M66 57v12l3-3 3 3V57',
  },
  door: {
    ink: 'M30 64V10h36v54M30 10l22 8v46l-22 0M47 42v4',
    light: 'M57 64l5-12M61 64l2-5',
  },
  letter: {
    ink: 'M20 24h56v34H20zM20 58l21-19M76 58L55 39',
    light: 'M20 24l28 22 28-22',
  },
  lamp: {
    ink: 'M38 64c0-4 4-6 10-6s10 2 10 6M48 58V36M39 10h18l8 26H31z',
    light: 'M27 44l-5 8M69 44l5 8M36 44l-2 6M60 44l2 6',
  },
}
