import { expect, test } from 'vitest'
import { slicesInScript } from './page-head.ts'

test('while a megabyte of signs is escaped for a page, other work runs [S51]', async () => {
  let turns = 0
  let isDone = false
  const turn = () => {
    turns++
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  const slices = await slicesInScript('<'.repeat(1024 * 1024))
  isDone = true
  expect(Buffer.concat(slices).toString()).toBe('\\u003c'.repeat(1024 * 1024))
  expect(turns).toBeGreaterThan(10)
})
