// For development: runs the server, which restarts when its files change, and Vite, which updates the page.
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const vite = join(root, 'node_modules/vite/bin/vite.js')
// The page comes from Vite: the one that the server has may not be built, or may be old.
const env = { PUBLIC_ORIGIN: 'http://localhost:5173', ...process.env }
const programs = [['--watch', 'server/main.ts'], [vite]].map((args) =>
  spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env }),
)
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => endAll(signal))
for (const program of programs) program.on('exit', () => endAll('SIGTERM'))

function endAll(signal) {
  for (const program of programs) program.kill(signal)
}
