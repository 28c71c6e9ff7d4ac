// For development: runs the server, which restarts when its files change, and Vite, which updates the page.
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const vite = join(root, 'node_modules/vite/bin/vite.js')
const programs = [['--watch', 'server/main.ts'], [vite]].map((args) =>
  spawn(process.execPath, args, { cwd: root, stdio: 'inherit' }),
)
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => endAll(signal))
for (const program of programs) program.on('exit', () => endAll('SIGTERM'))

function endAll(signal) {
  for (const program of programs) program.kill(signal)
}
