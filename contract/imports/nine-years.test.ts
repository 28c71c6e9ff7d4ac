import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cpuMsOf } from '#contract/testing/cpu-time.ts'
import { importOf } from '#contract/testing/import-samples.ts'
import { zipOf } from '#contract/testing/zip-writer.ts'

// Nine years, from a place beside the project.
const file = process.env['BENCH_DIARY'] ?? join(import.meta.dirname, '../../../shared/data/pepys.jsonl')
const isHere = existsSync(file)
if (!isHere) console.log('Skipped: the diary of Samuel Pepys is not on this machine.')

const days = isHere
  ? readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { date: string; content: string })
  : []

const dayOne = () =>
  JSON.stringify({
    metadata: { version: '1.0' },
    entries: days.map(({ date, content }, index) => ({
      uuid: String(index),
      // In the evening of London the day of UTC is the same in winter, and an hour behind in summer.
      creationDate: `${date}T22:45:00Z`,
      timeZone: 'Atlantic/Azores',
      text: content.replace(/[.()]/g, '\\$&'),
    })),
  })
const markdown = () =>
  days.map(({ date, content }) => ({ name: `Pepys/${date.slice(0, 4)}/${date}.md`, data: content }))

const zipped = (files: { name: string; data: string }[]) => () => zipOf(files)

test.skipIf(!isHere).each([
  ['a Day One file', () => ({ 'Pepys.json': dayOne() })],
  ['a Day One ZIP', zipped([{ name: 'Pepys.json', data: dayOne() }])],
  ['a folder of Markdown', () => Object.fromEntries(markdown().map(({ name, data }) => [name, data]))],
  ['a ZIP of Markdown', zipped(markdown())],
])('nine years are read within some seconds from %s [OWN-09] [OWN-18]', async (_what, write) => {
  const files = write()
  const { entries, notUnderstood, skipped } = await importOf(files)
  expect({ notUnderstood, skipped }).toEqual({ notUnderstood: [], skipped: [] })
  expect(entries).toHaveLength(3410)
  expect(entries.map((entry) => entry.kind === 'day' && [entry.day, entry.text])).toEqual(
    days.map(({ date, content }) => [date, content.trim()]),
  )
  expect(await cpuMsOf(() => importOf(files))).toBeLessThan(3000)
})
