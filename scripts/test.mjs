// All tests of the project: `npm test`, or some suites of it: `node scripts/test.mjs server e2e`.
// Plain JavaScript for an old Node, which is all that a fresh clone has; the rest runs on the Node it brings.
import { spawn } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ready } from './ready.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

try {
  ready()
  runSuites()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

function runSuites() {
  const path = `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`
  const child = spawn('node', [join(root, 'scripts/testing/run.ts'), ...process.argv.slice(2)], {
    cwd: root,
    env: { ...process.env, PATH: path },
    stdio: 'inherit',
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => {
    process.exitCode = code ?? 1
  })
}
