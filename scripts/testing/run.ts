import { parseArgs } from 'node:util'
import { interrupted } from './command.ts'
import { provide } from './needs.ts'
import { failed } from './report.ts'
import type { Tally } from './report.ts'
import { suites } from './suites.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '2' } },
})
const unknown = positionals.filter((name) => suites.every((suite) => suite.name !== name))
if (unknown.length > 0 || !/^[1-9]\d*$/.test(values.rounds)) {
  const names = suites.map(({ name }) => name).join(' ')
  console.error(`Usage: node scripts/test.mjs [--rounds N] [SUITE …], where SUITE is one of: ${names}`)
  process.exit(1)
}
const wanted = suites.filter(({ name, isLong = false }) =>
  positionals.length === 0 ? !isLong : positionals.includes(name),
)

// Said before the first suite, because the suite that needs a missing program may run much later.
const missing = await provide([...new Set(wanted.flatMap(({ needs }) => needs))])
if (missing !== undefined) console.error(missing)

const results: (Tally & { name: string; seconds: number })[] = []
for (const { name, needs, run } of wanted) {
  if (interrupted.aborted) break
  console.log(`\n=== ${name}`)
  const start = performance.now()
  const problem = await provide(needs)
  const tally = problem === undefined ? await tallyOf(run) : failed(problem)
  if (tally.note !== undefined) console.error(tally.note)
  results.push({ ...tally, name, seconds: Math.round((performance.now() - start) / 1000) })
}
printResults()

async function tallyOf(run: (options: { rounds: number }) => Promise<Tally>): Promise<Tally> {
  try {
    return await run({ rounds: Number(values.rounds) })
  } catch (error) {
    console.error(error)
    return failed('the suite could not run')
  }
}

function printResults() {
  const sum = (part: 'passed' | 'failed' | 'skipped') =>
    results.reduce((total, result) => total + result[part], 0)
  const row = (...cells: (string | number)[]) =>
    cells.map((cell, at) => (at === 0 ? String(cell).padEnd(20) : String(cell).padStart(9))).join('')
  for (const { name, failures = [] } of results) {
    for (const failure of failures) console.log(`\n${name}: ${failure}`)
  }
  console.log(`\n${row('suite', 'passed', 'failed', 'skipped', 'seconds')}`)
  for (const { name, passed, failed, skipped, seconds, note } of results) {
    console.log(`${row(name, passed, failed, skipped, seconds)}${note === undefined ? '' : `  ${note}`}`)
  }
  if (interrupted.aborted) console.log('The tests were interrupted.')
  const skipped = sum('skipped')
  console.log(
    `${sum('passed')} passed, ${sum('failed')} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`,
  )
  process.exitCode = sum('failed') > 0 || interrupted.aborted ? 1 : 0
}
