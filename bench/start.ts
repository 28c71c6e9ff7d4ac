import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { root, succeeds } from '../scripts/testing/command.ts'
import { atMost, fact, printTable } from './table.ts'

const limits = { secondStart: 2, end: 10 }

const folder = await mkdtemp(join(tmpdir(), 'zimmer-bench-'))
try {
  const emptyCache = await fromClone('first')
  const filledCache = await fromClone('second')
  const again = await start(join(folder, 'second'))
  printTable('From clone to ready, in seconds', [
    fact('git clone and npm start, nothing in the cache of npm', seconds(emptyCache.readyS)),
    fact('the same with a filled cache', seconds(filledCache.readyS)),
    atMost('second npm start', again.readyS, limits.secondStart, 's'),
    atMost(
      'Ctrl-C to end, the slowest of three',
      Math.max(emptyCache.endS, filledCache.endS, again.endS),
      limits.end,
      's',
    ),
  ])
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** Clones the last commit and starts it. */
async function fromClone(name: string) {
  const from = performance.now()
  const place = join(folder, name)
  if (!(await succeeds('git', ['clone', '--quiet', root, place])))
    throw new Error('The project cannot be cloned.')
  const cloneS = since(from)
  const { readyS, endS } = await start(place)
  return { readyS: cloneS + readyS, endS }
}

/** Runs `npm start` in a process group of its own until it is ready, and then sends Ctrl-C. */
async function start(place: string) {
  const from = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: place,
    env: {
      ...process.env,
      // Without the packages of this folder, which a fresh clone does not have.
      PATH: (process.env.PATH ?? '')
        .split(delimiter)
        .filter((part) => !part.includes('node_modules'))
        .join(delimiter),
      npm_config_cache: join(folder, 'npm-cache'),
      PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let said = ''
  const ended = once(child, 'close')
  const isReady = await new Promise<boolean>((resolve) => {
    const listen = (chunk: Buffer) => {
      said += chunk.toString()
      if (/^ready http/m.test(said)) resolve(true)
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.once('close', () => resolve(false))
  })
  if (!isReady) throw new Error(`npm start was never ready:\n${said}`)
  const readyS = since(from)
  const interruptedAt = performance.now()
  process.kill(-child.pid!, 'SIGINT')
  await ended
  return { readyS, endS: since(interruptedAt) }
}

function since(from: number) {
  return (performance.now() - from) / 1000
}

function seconds(value: number) {
  return `${value.toFixed(1)} s`
}
