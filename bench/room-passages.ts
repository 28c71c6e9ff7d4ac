import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathOf } from '#contract/endpoint.ts'
import { sendPassage } from '#contract/rooms/endpoints.ts'
import { connectionOf, inMegabytes, loadCore, serverCore, withInstance } from './instance.ts'
import { addPeople, addRooms, type Person, withDatabase } from './people.ts'
import { atLeast, fact, median, printTable } from './table.ts'

const writers = 32
const rounds = 5
const seconds = 3
const content = 'A line of a story that goes on for a while. '.repeat(5)

await withInstance(async ({ url, dataDir, memory }) => {
  const { people, rooms } = await withDatabase(dataDir, async (db) => {
    const all = await addPeople(db, writers)
    return {
      people: all,
      rooms: await addRooms(
        db,
        all.map((person) => [person]),
      ),
    }
  })
  const connection = await connectionOf(dataDir)
  const places = rooms.map((room, n) => ({ room, person: people[n]!.id }))
  const pairs = []
  for (let round = 0; round < rounds; round++) {
    pairs.push({
      ours: passages(url, rooms, people),
      bare: barePassages({ connection, places, content, seconds, round }),
    })
  }
  printTable(`${writers} people write at once in a room each, each passage on disk before its answer`, [
    atLeast('ratio to bare inserts', median(pairs.map(({ ours, bare }) => ours.rate / bare)), 0.4),
    fact(
      'passages/s, ours and bare',
      `${median(pairs.map(({ ours }) => ours.rate)).toFixed(0)} and ${median(pairs.map(({ bare }) => bare)).toFixed(0)}`,
    ),
    fact('busiest client core', `${(Math.max(...pairs.map(({ ours }) => ours.busy)) * 100).toFixed(0)} %`),
    fact('memory of the server afterwards', inMegabytes(memory())),
  ])
})

/** Server and database on one core, the load on the other: a thread with one connection for each writer. */
function passages(url: string, rooms: string[], people: Person[]) {
  const folder = mkdtempSync(join(tmpdir(), 'zimmer-bench-'))
  const script = join(folder, 'write.lua')
  const paths = rooms.map((id) => `'${pathOf(sendPassage, { params: { id } })}'`)
  const cookies = people.map(({ cookie }) => `'${cookie}'`)
  writeFileSync(
    script,
    `local paths, cookies, number = { ${paths.join()} }, { ${cookies.join()} }, 0
     function setup(thread)
       number = number + 1
       thread:set('path', paths[number])
       thread:set('cookie', cookies[number])
     end
     function request()
       local headers = { ['content-type'] = 'application/json', cookie = cookie }
       return wrk.format('POST', path, headers, '{"content":"${content}"}')
     end`,
  )
  const wrk = ['wrk', `-t${writers}`, `-c${writers}`, `-d${seconds}s`, '-s', script, url]
  const said = execFileSync(
    'bash',
    ['-c', 'TIMEFORMAT="cpu %U %S"; { time taskset -c "$0" "$@"; } 2>&1', loadCore, ...wrk],
    { encoding: 'utf8' },
  )
  rmSync(folder, { recursive: true })
  if (said.includes('Non-2xx')) throw new Error(said)
  const [, rate] = /Requests\/sec:\s+([\d.]+)/.exec(said) ?? []
  const [, user, system] = /cpu ([\d.]+) ([\d.]+)/.exec(said) ?? []
  return { rate: Number(rate), busy: (Number(user) + Number(system)) / seconds }
}

/** The same rows from a process on the core of the server, with the same database. */
function barePassages(task: object): number {
  const args = ['-c', serverCore, 'node', 'bench/bare-passages.ts', JSON.stringify(task)]
  return Number(execFileSync('taskset', args, { encoding: 'utf8' }))
}
