import { execFileSync, spawnSync } from 'node:child_process'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { findNativeFolder } from '#server/platform/database/binaries.ts'

const all = [
  'start',
  'backup',
  'weight',
  'page',
  'signed-in',
  'opening',
  'page-changes',
  'offline',
  'feed-read',
  'feed-uncached',
  'feeds',
  'rendered-pages',
  'submissions',
  'sign-in',
  'room-passages',
  'room-live',
  'room-streams',
  'room-lists',
  'turns',
  'messages',
  'people-search',
  'search',
  'follows',
  'admin',
  'conversation',
  'creators',
  'diary',
  'diary-page',
  'diary-search',
  'typing',
  'device',
  'export',
  'attacks',
  'hostile-inputs',
  'fuzz',
  'reconnecting',
]
const wanted = process.argv.slice(2)

const [core] = cpus()
const postgres = execFileSync(join(findNativeFolder(), 'bin/postgres'), ['--version'], { encoding: 'utf8' })
console.log(
  `${cpus().length} cores (${core?.model}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}, ${postgres.trim()}, ${loopMs()} ms for the measuring loop`,
)
for (const name of wanted.length === 0 ? all : wanted) {
  const { status } = spawnSync('node', [`bench/${name}.ts`], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}

/** Does a fixed computation, whose time compares machines and their present load. */
function loopMs(): string {
  const start = performance.now()
  let sum = 0
  for (let i = 0; i < 3e8; i++) sum = (sum + i * 31) % 1_000_003
  return sum >= 0 ? (performance.now() - start).toFixed(0) : ''
}
