import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type Keystroke, merge, type SharedKeystroke } from './two-writers.ts'

// Recorded keystrokes (github.com/josephg/editing-traces, CC BY 4.0) are kept beside the project, not in it.
const folder = join(import.meta.dirname, '../../shared/data/traces')
const fileOf = (name: string) => join(folder, `${name}.json.gz`)
const read = (name: string): unknown => JSON.parse(gunzipSync(readFileSync(fileOf(name))).toString())

const [blogPost, friends] = ['json-crdt-blog-post', 'friendsforever'] as const
export const hasTraces = existsSync(fileOf(blogPost)) && existsSync(fileOf(friends))

/** A change of a text area, and the time at which it is played. */
export interface Change {
  position: number
  deleted: number
  inserted: string
  /** Milliseconds after the start. */
  atMs: number
}

interface Recording {
  endContent: string
  txns: { time: string; patches: [position: number, deleted: number, inserted: string][] }[]
}

const longestPauseMs = 1000

/** The changes of one writer, played `pace` times as fast as they were typed. */
export function readBlogPost(pace: number): { changes: Change[]; endContent: string } {
  const { txns, endContent } = read(blogPost) as Recording
  let [atMs, before] = [0, Date.parse(txns[0]!.time)]
  const changes = txns.flatMap(({ time, patches }) => {
    const now = Date.parse(time)
    atMs += Math.min(Math.max(0, now - before), longestPauseMs) / pace
    before = now
    return patches.map(([position, deleted, inserted]) => ({ position, deleted, inserted, atMs }))
  })
  return { changes, endContent }
}

/** The first `end` changes that two writers made in one text at the same time, merged and separated by writer. */
export function readFriends(end?: number) {
  const { txns, endContent } = read(friends) as { endContent: string; txns: SharedKeystroke[] }
  return { ...merge(txns.slice(0, end), 2), endContent }
}

export const changeOf = ({ position, inserted }: Keystroke): Change => ({
  position,
  deleted: inserted === '' ? 1 : 0,
  inserted,
  atMs: 0,
})

/** A text after a change. */
export const changed = (text: string, { position, deleted, inserted }: Change): string =>
  text.slice(0, position) + inserted + text.slice(position + deleted)

/** The text before the first change and after each change. */
export function statesOf(changes: Change[]): string[] {
  const states = ['']
  for (const change of changes) states.push(changed(states.at(-1)!, change))
  return states
}

/** Numbers from 0 up to 1, others in each run. The printed seed repeats them. */
export function startRandom(): () => number {
  let seed = Number(process.env.TRACES_SEED ?? Date.now() % 1_000_000)
  console.log(`TRACES_SEED=${seed}`)
  return () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
}

/** Random numbers below `end`, in ascending order. */
export const randomMoments = (random: () => number, end: number, count: number): number[] =>
  Array.from({ length: count }, () => Math.floor(random() * end)).toSorted((one, other) => one - other)
