import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const reportsCompiler = `process.on('exit', () => console.log('compiler', process.moduleLoadList.some((name) => name.includes('amaro'))))`

test('a process that starts again does without the compiler of TypeScript, which takes 13 MB', () => {
  const start = () => {
    const args = [
      `--import=data:text/javascript,${encodeURIComponent(reportsCompiler)}`,
      '--import=./server/quick-imports.js',
      'server/zimmer.ts',
      'help',
    ]
    return spawnSync('node', args, { cwd: join(import.meta.dirname, '..'), encoding: 'utf8' }).stdout
  }
  start()
  expect(start()).toContain('compiler false')
})
