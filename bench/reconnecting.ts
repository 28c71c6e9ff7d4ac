import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { fact, printTable } from './table.ts'

const histories = '200'
const { status } = spawnSync('vitest', ['run', '--project', 'server', 'server/whole/reconnecting.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, HISTORIES: histories, SEED: String(randomInt(2 ** 31)) },
})
if (status !== 0) process.exitCode = 1
else
  printTable('Pages that reconnect', [
    fact('random histories after which each page knows what a new page loads', histories),
  ])
