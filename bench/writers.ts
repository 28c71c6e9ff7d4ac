import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BareRows } from './bare-rows.ts'
import { runWrk, serverCore } from './instance.ts'
import { atLeast, fact, type Figure, median } from './table.ts'

const rounds = 5
const seconds = 3

export interface Writer {
  path: string
  cookie: string
  /** The JSON that this writer sends again and again. */
  body: string
}

interface Compared {
  url: string
  writers: Writer[]
  bare: Omit<BareRows, 'seconds' | 'round'>
  /** At least this share of the rate of bare inserts. */
  ratio: number
  /** What is written, in the plural. */
  unit: string
}

/** Measures the writes of the server and the bare inserts of the same rows in turns. */
export function compareWithBareRows({ url, writers, bare, ratio, unit }: Compared): Figure[] {
  const pairs = Array.from({ length: rounds }, (_, round) => ({
    ours: sendAtOnce(url, writers),
    bare: insertBareRows({ ...bare, seconds, round }),
  }))
  const ours = median(pairs.map((pair) => pair.ours.rate))
  const bareRate = median(pairs.map((pair) => pair.bare))
  return [
    atLeast('ratio to bare inserts', median(pairs.map((pair) => pair.ours.rate / pair.bare)), ratio),
    fact(`${unit}/s, ours and bare`, `${ours.toFixed(0)} and ${bareRate.toFixed(0)}`),
    fact('busiest client core', `${(Math.max(...pairs.map((pair) => pair.ours.busy)) * 100).toFixed(0)} %`),
  ]
}

/** Server and database run on one core. The load on the other core is a thread with one connection for each writer. */
function sendAtOnce(url: string, writers: Writer[]) {
  const folder = mkdtempSync(join(tmpdir(), 'zimmer-bench-'))
  const script = join(folder, 'write.lua')
  const list = (field: keyof Writer) => writers.map((writer) => `'${writer[field]}'`).join()
  writeFileSync(
    script,
    `local paths, cookies, bodies, number = { ${list('path')} }, { ${list('cookie')} }, { ${list('body')} }, 0
     function setup(thread)
       number = number + 1
       thread:set('path', paths[number])
       thread:set('cookie', cookies[number])
       thread:set('body', bodies[number])
     end
     function request()
       local headers = { ['content-type'] = 'application/json', cookie = cookie }
       return wrk.format('POST', path, headers, body)
     end`,
  )
  const measured = runWrk(seconds, [`-t${writers.length}`, `-c${writers.length}`, '-s', script, url])
  rmSync(folder, { recursive: true })
  return measured
}

/** Inserts the same rows into the same database from a process on the core of the server. */
function insertBareRows(task: BareRows): number {
  const args = ['-c', serverCore, 'node', 'bench/bare-rows.ts', JSON.stringify(task)]
  return Number(execFileSync('taskset', args, { encoding: 'utf8' }))
}
