import { parseArgs } from 'node:util'
import { interrupted } from './command.ts'
import { onBothDatabases, testsOn } from './server-tests.ts'
import { problemOf, provide } from './needs.ts'
import { repeatFailedFiles } from './repeat.ts'
import type { Repeated } from './repeat.ts'
import { describe, failed, failedIn, failuresOf, passedIn, skippedIn } from './report.ts'
import type { Results } from './report.ts'
import { suites } from './suites.ts'

const args = process.argv.slice(2).map((arg) => (arg === '--changed' ? '--changed=main' : arg))
const { values, positionals } = parseArgs({
  args,
  allowPositionals: true,
  options: {
    changed: { type: 'string' },
    both: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '1' },
    'no-install': { type: 'boolean', default: false },
  },
})
const unknown = positionals.filter((name) => suites.every((suite) => suite.name !== name))
if (unknown.length > 0 || !/^[1-9]\d*$/.test(values.rounds)) {
  const names = suites.map(({ name }) => name).join(' ')
  console.error(
    `Usage: node scripts/test.mjs [--both] [--changed[=COMMIT]] [--rounds N] [--no-install] [SUITE …], where SUITE is one of: ${names}`,
  )
  process.exit(1)
}
const wanted = suites.filter(({ name, isLong = false, isOfChanges = false }) => {
  if (positionals.length > 0) return positionals.includes(name)
  return values.changed === undefined ? !isLong : isOfChanges
})

// Before the first suite, because the suite that needs a missing program may run much later.
const allNeeded = [...new Set(wanted.flatMap(({ needs }) => needs))]
await provide(allNeeded, { mayInstall: !values['no-install'] })

/** A suite that runs without the other one has all tests of its database. */
const isDivided =
  !values.both &&
  ['server', 'server-on-postgres'].every((name) => wanted.some((suite) => suite.name === name))
const day = isDivided ? dayOfDivision() : undefined

interface Outcome {
  suite: (typeof wanted)[number]
  results: Results
  repeated: Repeated[]
  seconds: number
}

const outcomes: Outcome[] = []
for (const suite of wanted) {
  if (interrupted.aborted) break
  console.log(`\n=== ${suite.name}`)
  const start = performance.now()
  const problem = problemOf(suite.needs)
  const results = problem === undefined ? await resultsOf(suite) : failed(problem)
  if (results.note !== undefined) console.error(results.note)
  outcomes.push({ suite, results, repeated: [], seconds: secondsSince(start) })
}
for (const outcome of outcomes) await repeat(outcome)
printOutcomes()

async function repeat(outcome: Outcome) {
  const { suite, results, seconds } = outcome
  const start = performance.now()
  const repetition = await repeatFailedFiles(results, (file) => {
    if (interrupted.aborted) return Promise.resolve(failed('interrupted'))
    console.log(`\n=== ${suite.name} once more: ${file}`)
    return resultsOf(suite, file)
  })
  Object.assign(outcome, repetition, { seconds: seconds + secondsSince(start) })
}

function secondsSince(start: number) {
  return Math.round((performance.now() - start) / 1000)
}

/** Says how the tests of the server are divided between the databases today, or on the day of TEST_DAY. */
function dayOfDivision(): string {
  const wantedDay = process.env.TEST_DAY ?? new Date().toISOString().slice(0, 10)
  if (!/^\d{4}-\d\d-\d\d$/.test(wantedDay) || Number.isNaN(Date.parse(wantedDay))) {
    console.error(`TEST_DAY must be a day such as 2026-01-31, not ${wantedDay}.`)
    process.exit(1)
  }
  const [embedded, external] = [testsOn('embedded', wantedDay), testsOn('external', wantedDay)]
  console.log(
    `Of the test files of the server, ${embedded.length} run on the embedded database and ${external.length} on a Postgres server, ${onBothDatabases.length} of them on both. To repeat this division on another day, set TEST_DAY=${wantedDay}.`,
  )
  return wantedDay
}

async function resultsOf(suite: Outcome['suite'], alone?: string): Promise<Results> {
  try {
    const options = { rounds: Number(values.rounds), day, changed: values.changed }
    return await suite.run(alone === undefined ? options : { ...options, alone })
  } catch (error) {
    console.error(error)
    return failed('the suite could not run')
  }
}

function printOutcomes() {
  const sum = (count: (results: Results) => number) =>
    outcomes.reduce((total, { results }) => total + count(results), 0)
  const row = (...cells: (string | number)[]) =>
    cells.map((cell, at) => (at === 0 ? String(cell).padEnd(20) : String(cell).padStart(9))).join('')
  for (const { suite, results } of outcomes) {
    for (const failure of failuresOf(results)) console.log(`\n${suite.name}: ${failure}`)
  }
  if (outcomes.some(({ repeated }) => repeated.length > 0))
    console.log(
      '\nThese tests failed, and passed when their file was repeated alone. Look for a race in them:',
    )
  for (const { suite, repeated } of outcomes) {
    for (const each of repeated) console.log(`\n${suite.name}, repeated: ${describe(each.file, each)}`)
  }
  console.log(`\n${row('suite', 'passed', 'failed', 'skipped', 'repeated', 'seconds')}`)
  for (const { suite, results, repeated, seconds } of outcomes) {
    const counts = [passedIn(results), failedIn(results), skippedIn(results), repeated.length]
    const note = results.note === undefined ? '' : `  ${results.note}`
    console.log(`${row(suite.name, ...counts, seconds)}${note}`)
  }
  if (interrupted.aborted) console.log('The tests were interrupted.')
  const [passed, failed, skipped] = [sum(passedIn), sum(failedIn), sum(skippedIn)]
  console.log(`${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`)
  process.exitCode = failed > 0 || interrupted.aborted ? 1 : 0
}
