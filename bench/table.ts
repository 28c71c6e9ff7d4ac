import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '#server/platform/database/pool.ts'

/** One row of a table: the measured value and its limit. */
export interface Figure {
  name: string
  measured: string
  /** The limit as text, such as 'at least 0.4'; '' where there is none. */
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

/** Prints a table in Markdown. A missed limit is marked in its row and sets the exit code. */
export function printTable(title: string, figures: Figure[]): void {
  console.log(`\n### ${title}\n\n| figure | measured | limit |\n| --- | --- | --- |`)
  for (const { name, measured, limit, isKept } of figures) {
    console.log(`| ${name} | ${measured} | ${limit}${isKept ? '' : ' — **missed**'} |`)
    if (!isKept) process.exitCode = 1
  }
}

/** The value below which that share of all values lies. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}

/** The milliseconds of each call, one after the other. Those of the first `warmUps` calls are not counted. */
export async function timesOf(
  { warmUps, calls }: { warmUps: number; calls: number },
  call: (n: number) => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < warmUps + calls; n++) {
    const start = performance.now()
    await call(n)
    if (n >= warmUps) times.push(performance.now() - start)
  }
  return times
}

export const median = (values: number[]): number => quantile(values, 0.5)

/** Lists the indexes of a plan. A sequential scan of a table misses the limit. */
export async function planOf(db: Database, query: SQL): Promise<Omit<Figure, 'name'>> {
  const { rows } = await db.execute<{ 'QUERY PLAN': string }>(sql`explain (costs off) ${query}`)
  const scans = rows.flatMap(
    (row) =>
      /Index.* Scan (?:Backward )?(?:using|on) (\w+)|(Seq Scan on \w+)/
        .exec(row['QUERY PLAN'])
        ?.slice(1)
        .find(Boolean) ?? [],
  )
  // The suspensions are few. A query reads them once, as a whole.
  const measured = [...new Set(scans)].filter((scan) => scan !== 'Seq Scan on suspensions').join(', ')
  return { measured, limit: 'by index', isKept: !measured.includes('Seq') }
}
