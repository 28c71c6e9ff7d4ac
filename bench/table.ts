/** One line of a table: what was measured, and what it has to keep. */
export interface Figure {
  name: string
  measured: string
  /** In words, such as 'at least 0.4'; '' where the figure only informs. */
  limit: string
  isKept: boolean
}

export const atLeast = (name: string, value: number, limit: number, digits = 2): Figure => ({
  name,
  measured: value.toFixed(digits),
  limit: `at least ${limit}`,
  isKept: value >= limit,
})

export const atMost = (name: string, value: number, limit: number, unit = '', digits = 1): Figure => ({
  name,
  measured: `${value.toFixed(digits)} ${unit}`.trim(),
  limit: `at most ${limit} ${unit}`.trim(),
  isKept: value <= limit,
})

export const fact = (name: string, measured: string): Figure => ({ name, measured, limit: '', isKept: true })

/** Prints Markdown; a limit that is not kept is said in the line and by the exit code. */
export function printTable(title: string, figures: Figure[]): void {
  console.log(`\n### ${title}\n\n| figure | measured | limit |\n| --- | --- | --- |`)
  for (const { name, measured, limit, isKept } of figures) {
    console.log(`| ${name} | ${measured} | ${limit}${isKept ? '' : ' — **missed**'} |`)
    if (!isKept) process.exitCode = 1
  }
}

/** The value below which that share of all lies. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}

export const median = (values: number[]): number => quantile(values, 0.5)
