import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BareRows } from './bare-rows.ts'
import { runWrk, serverCore } from './instance.ts'
import { atLeast, fact, type Figure, median } from './table.ts'

const rounds = 5
const seconds = 3

export interface Caller {
  path: string
  /** Empty for a visitor. */
  cookie: string
  /** The JSON that is sent again and again. Without it the call is a read. */
  body?: string
  /** Sends another `Idempotency-Key` with each call, as the page does. */
  isKeyed?: boolean
}

interface Compared {
  url: string
  writers: Caller[]
  bare: Omit<BareRows, 'seconds' | 'round'>
  /** With an Idempotency-Key, as the page sends it: at least this share of the rate of bare inserts. */
  ratio: number
  /** What is written, in the plural. */
  unit: string
  /** Does the work that the rows of a round still need, which the server would do during the next round. */
  afterRound?: () => Promise<void>
}

/** Measures the writes of the server, with a key and without, and the bare inserts of the same rows in turns. */
export async function compareWithBareRows({
  url,
  writers,
  bare,
  ratio,
  unit,
  afterRound,
}: Compared): Promise<Figure[]> {
  const keyedWriters = writers.map((writer) => ({ ...writer, isKeyed: true }))
  const measureRound = async (_: unknown, round: number) => {
    const turn = {
      keyed: callAtOnce(url, keyedWriters, seconds),
      plain: callAtOnce(url, writers, seconds),
      bare: insertBareRows({ ...bare, seconds, round }),
    }
    await afterRound?.()
    return turn
  }
  const turns = await Array.fromAsync({ length: rounds }, measureRound)
  const ratioOf = (way: 'keyed' | 'plain') => median(turns.map((turn) => turn[way].rate / turn.bare))
  const rates = [
    ...(['keyed', 'plain'] as const).map((way) => median(turns.map((turn) => turn[way].rate))),
    median(turns.map((turn) => turn.bare)),
  ]
  const busy = Math.max(...turns.flatMap(({ keyed, plain }) => [keyed.busy, plain.busy]))
  return [
    atLeast('ratio to bare inserts, with a key', ratioOf('keyed'), ratio),
    fact('the same without a key', ratioOf('plain').toFixed(2)),
    fact(`${unit}/s with a key, without, and bare`, rates.map((rate) => rate.toFixed(0)).join(', ')),
    fact('busiest client core', `${(busy * 100).toFixed(0)} %`),
  ]
}

/**
 * Server and database run on one core. The load on the other core is a thread with one connection for each caller. Answers
 * are compressed as for a browser.
 */
export function callAtOnce(url: string, callers: Caller[], seconds: number) {
  const folder = mkdtempSync(join(tmpdir(), 'zimmer-bench-'))
  const script = join(folder, 'call.lua')
  const list = (valueOf: (caller: Caller) => string) => callers.map((caller) => `'${valueOf(caller)}'`).join()
  writeFileSync(
    script,
    `local paths, cookies, bodies = { ${list(({ path }) => path)} }, { ${list(({ cookie }) => cookie)} }, { ${list(({ body }) => body ?? '')} }
     local marks = { ${list(({ isKeyed }) => (isKeyed === true ? 'keyed' : ''))} }
     local number, count = 0, 0
     function setup(thread)
       number = number + 1
       for name, values in pairs({ path = paths, cookie = cookies, body = bodies, keyed = marks }) do
         thread:set(name, values[number])
       end
       thread:set('number', number)
     end
     function request()
       local headers = { cookie = cookie, ['accept-encoding'] = 'gzip' }
       if body == '' then return wrk.format('GET', path, headers) end
       headers['content-type'] = 'application/json'
       count = count + 1
       if keyed ~= '' then headers['idempotency-key'] = 'call-' .. number .. '-' .. os.time() .. '-' .. count end
       return wrk.format('POST', path, headers, body)
     end`,
  )
  const measured = runWrk(seconds, [`-t${callers.length}`, `-c${callers.length}`, '-s', script, url])
  rmSync(folder, { recursive: true })
  return measured
}

/** Inserts the same rows into the same database from a process on the core of the server. */
function insertBareRows(task: BareRows): number {
  const args = ['-c', serverCore, 'node', 'bench/bare-rows.ts', JSON.stringify(task)]
  return Number(execFileSync('taskset', args, { encoding: 'utf8' }))
}
