import { expect, onTestFinished, test } from 'vitest'
import { rounds } from './instance.ts'
import { runTables } from './tables/run.ts'
import { startTwoServers } from './tables/two-servers.ts'

const seed = Number(process.env.SEED ?? Date.now() % 1e6)

/** `node bench/tables.ts` does the same with more tables for minutes. Only there many turns lapse beside a process that may take them. */
test('eight people write at two tables over two servers that are killed, stopped and cut off: turn numbers grow by one, each acknowledged text is stored once, everybody gets a turn in order, and each story ends with one true seal [TURN-03 TURN-04 TURN-07 TURN-09 TURN-11 TURN-12 CRED-02]', async () => {
  const both = await startTwoServers()
  onTestFinished(both.stop)
  const run = await runTables(both, {
    tables: 2,
    membersEach: 4,
    forMs: 25_000 * rounds,
    killsEach: 1,
    pauseMs: 2000,
    freezes: 0.12,
    seed,
  })
  expect(run.faults, `seed ${seed}`).toEqual([])
  expect(run.kills).toBe(2)
  expect(run.passages).toBeGreaterThan(5)
}, 300_000)
