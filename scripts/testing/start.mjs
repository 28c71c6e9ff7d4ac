// Installs the packages of the project, then runs a script of this folder with the Node that they bring.
// Plain JavaScript that runs on an old Node, because a fresh clone has no other until its packages are installed.
import { spawn } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ready } from '../ready.mjs'

const folder = dirname(fileURLToPath(import.meta.url))
const root = join(folder, '../..')

/** @param {string} script */
export async function start(script) {
  try {
    await ready()
    run(script)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}

/** @param {string} script */
function run(script) {
  const path = `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`
  const child = spawn('node', [join(folder, script), ...process.argv.slice(2)], {
    cwd: root,
    env: { ...process.env, PATH: path },
    stdio: 'inherit',
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => {
    process.exitCode = code ?? 1
  })
}
