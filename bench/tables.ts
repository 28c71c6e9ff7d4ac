import { runTables } from '../faults/tables/run.ts'
import { startTwoServers } from '../faults/tables/two-servers.ts'
import { atMost, fact, printTable, quantile } from './table.ts'

/** `node bench/tables.ts 5` lets people write for five minutes before the last turns begin. */
const minutes = Number(process.argv[2] ?? '8')
const seed = Number(process.env['SEED'] ?? Date.now() % 1e6)

const both = await startTwoServers()
try {
  const run = await runTables(both, {
    tables: 10,
    membersEach: 12,
    forMs: minutes * 60_000,
    killsEach: 4,
    pauseMs: 5000,
    freezes: 0.08,
    seed,
  })
  const { faults, turns, passages, lateness, kills, waits, shown } = run
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  printTable(`10 tables of 12 people over two processes for ${minutes} minutes, seed ${seed}`, [
    fact('turns, and passages', `${turns} and ${passages}`),
    fact('turns that lapsed', `${lateness.length}`),
    fact('kills of a process', `${kills}`),
    atMost('broken rules, lost and doubled texts', faults.length, 0, '', 0),
    fact('wait for a turn: p50', seconds(quantile(waits, 0.5))),
    fact('the longest wait', seconds(Math.max(...waits))),
    fact('a lapsed turn passes on: p50', seconds(quantile(lateness, 0.5))),
    fact('the slowest', seconds(Math.max(...lateness))),
    fact('turn shown to its holder after the answer: p50', `${quantile(shown, 0.5).toFixed(0)} ms`),
    atMost(`the same: p99 of ${shown.length}`, quantile(shown, 0.99), 100, 'ms', 0),
  ])
  for (const fault of faults) console.error(fault)
} finally {
  await both.stop()
}
