import type { KeptRow } from './database.ts'

/** The format in which this program writes values. Raise it when an answer that is kept changes its shape. */
export const format = 1

type Migrations = Readonly<Record<number, (value: unknown) => unknown>>

/** Each makes a value of its format one of the next format. */
const migrations: Migrations = {}

/** The value in the format of this program. A value that a newer program wrote is undefined: it is left as it is. */
export function valueOf(
  kept: Pick<KeptRow, 'format' | 'value'>,
  to: number = format,
  steps: Migrations = migrations,
): unknown {
  if (kept.format > to) return undefined
  let { value } = kept
  for (let from = kept.format; from < to; from++) value = steps[from]!(value)
  return value
}

/**
 * Whether a value may replace a kept one: this program can read that one, and it is not newer. One that is newer than now was
 * kept while the clock of the device was wrong.
 */
export const mayReplace = (kept: KeptRow | undefined, keptAt: number): boolean =>
  kept === undefined || (kept.format <= format && (kept.keptAt <= keptAt || kept.keptAt > Date.now()))
