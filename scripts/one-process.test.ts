import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { belongsToOneProcess } from '#server/testing/one-process.ts'
import { root } from './testing/command.ts'

test('every test that is left out over two processes exists', () => {
  const missing = belongsToOneProcess.filter(({ file, title }) => {
    const text = readFileSync(join(root, file), 'utf8')
    const titles = [...text.matchAll(/\btest\('(.+)', async/g)].map(([, each]) => each!)
    return !titles.some((each) => title.test(each))
  })
  expect(missing).toEqual([])
})
