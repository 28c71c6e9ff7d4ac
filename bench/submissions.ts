import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { submitPost } from '#contract/feed/endpoints.ts'
import { connectionOf, inMegabytes, runWrk, serverCore, withInstance } from './instance.ts'
import { atLeast, fact, median, printTable } from './table.ts'

const writers = 32
const rounds = 5
const seconds = 3
const content = 'A line of a story that goes on for a while. '.repeat(14)

await withInstance(async ({ url, dataDir, memory }) => {
  const atRest = memory()
  const connection = await connectionOf(dataDir)
  const pairs = []
  for (let round = 0; round < rounds; round++) {
    pairs.push({ ours: submissions(`${url}${submitPost.path}`, round), bare: bareInserts(connection) })
  }
  printTable(`${writers} people submit at once, each post on disk before its answer`, [
    atLeast('ratio to bare inserts', median(pairs.map(({ ours, bare }) => ours / bare)), 0.5),
    fact(
      'submissions/s, ours and bare',
      `${median(pairs.map(({ ours }) => ours)).toFixed(0)} and ${median(pairs.map(({ bare }) => bare)).toFixed(0)}`,
    ),
    fact('memory of the server at rest', inMegabytes(atRest)),
    fact('memory of the server afterwards', inMegabytes(memory())),
  ])
})

/** Server and database run on one core, the load on the other. */
function submissions(url: string, round: number): number {
  const folder = mkdtempSync(join(tmpdir(), 'zimmer-bench-'))
  const script = join(folder, 'submit.lua')
  writeFileSync(
    script,
    `local count = 0
     function request()
       count = count + 1
       local body = '{"authorName":"Ana Lima","content":"${round} ' .. count .. ' ${content}"}'
       return wrk.format('POST', nil, { ['content-type'] = 'application/json' }, body)
     end`,
  )
  const { rate } = runWrk(seconds, ['-t1', `-c${writers}`, '-s', script, url])
  rmSync(folder, { recursive: true })
  return rate
}

/** Inserts the same row into the same database from a process on the core of the server. */
function bareInserts(connection: object): number {
  const args = ['bench/bare-inserts.ts', JSON.stringify(connection), content, String(seconds)]
  return Number(execFileSync('taskset', ['-c', serverCore, 'node', ...args], { encoding: 'utf8' }))
}
