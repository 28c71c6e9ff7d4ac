import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isOneOf } from './build-groups.ts'

test('the build stops when a file that it names was renamed', () => {
  expect(() => isOneOf(['web/app.tsx', 'web/renamed.tsx'])).toThrow('names web/renamed.tsx')
  expect(() => isOneOf(['web/renamed/**'])).toThrow('names web/renamed/**')
  expect(() => isOneOf(['web/{app,renamed}.tsx'])).toThrow('names web/renamed.tsx')
})

test('a group of the build has the files that it names, and those below a folder that it names', () => {
  const isInGroup = isOneOf(['web/app.tsx', 'web/shell/**'])
  const found = ['web/app.tsx', 'web/shell/Frame.tsx', 'web/app', 'web/routes.tsx'].map((file) =>
    isInGroup(join(import.meta.dirname, '..', file)),
  )
  expect(found).toEqual([true, true, false, false])
})
