import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clockFormat } from './locale.ts'

test.each([
  ['en-US', '8:05 PM', '12:05 AM'],
  ['en-GB', '20:05', '00:05'],
  ['de-DE', '20:05', '00:05'],
  ['en-AU', '8:05 PM', '12:05 AM'],
])('a reader with the locale %s reads the times %s and %s', (locale, evening, night) => {
  const format = new Intl.DateTimeFormat('en', { ...clockFormat(locale), timeZone: 'UTC' })
  const written = (time: string) => format.format(new Date(`2025-06-10T${time}:00Z`)).replace(/\s/u, ' ')
  expect([written('20:05'), written('00:05')]).toEqual([evening, night])
})

test('a reader finds times in the same form on every page, because only one file chooses the form', () => {
  const web = join(import.meta.dirname, '..')
  const sources = globSync('**/*.{ts,tsx}', { cwd: web, exclude: ['**/*.test.*', 'lib/locale.ts'] })
  expect(sources.length).toBeGreaterThan(100)
  const choosing = sources.filter((path) =>
    /timeStyle|toLocaleTimeString|\bhour(12|Cycle)?: /.test(readFileSync(join(web, path), 'utf8')),
  )
  expect(choosing).toEqual([])
})
