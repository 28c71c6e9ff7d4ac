import { expect, test } from 'vitest'
import { countOf, importOf } from '#contract/testing/import-samples.ts'
import { zipOf } from '#contract/testing/zip-writer.ts'

const journals = (...lists: object[][]) =>
  JSON.stringify({
    export_version: '1.0',
    journals: lists.map((entries) => ({ title: 'J', entries })),
    stats: {},
  })

const entry = (more: object = {}) => ({
  title: null,
  content: 'Rain.',
  entry_date: '2024-03-01',
  entry_datetime_utc: '2024-03-02T03:30:00',
  entry_timezone: 'America/New_York',
  tags: [],
  media: [],
  ...more,
})

test.each([
  ['the day of the writer', {}, '2024-03-01', '22:30', 'Rain.'],
  ['a time of another day', { entry_datetime_utc: '2024-03-05T00:00:00Z' }, '2024-03-01', null, 'Rain.'],
  ['no time', { entry_datetime_utc: null }, '2024-03-01', null, 'Rain.'],
  ['an unknown zone', { entry_timezone: 'Mars/Olympus' }, '2024-03-01', null, 'Rain.'],
  ['a title', { title: 'The sea' }, '2024-03-01', '22:30', 'The sea\n\nRain.'],
  ['a draft', { is_draft: true }, '2024-03-01', '22:30', 'Rain.'],
  [
    'a newer export',
    { content: undefined, content_delta: { ops: [{ insert: 'x' }] }, content_plain_text: 'Plain.\n' },
    '2024-03-01',
    '22:30',
    'Plain.',
  ],
  [
    'a newer export without plain text',
    {
      content: null,
      content_delta: { ops: [{ insert: 'One ' }, { insert: { image: 'x' } }, { insert: 'two\n' }] },
    },
    '2024-03-01',
    '22:30',
    'One two',
  ],
])('an entry of Journiv is read: %s [OWN-09] [OWN-19]', async (_what, fields, day, time, text) => {
  const { entries } = await importOf({ 'data.json': journals([entry(fields)]) })
  expect(entries).toEqual([{ kind: 'day', of: 'diary', day, time, text, place: 'data.json, entry 1' }])
})

test('entries of all journals count, with their pictures and details [OWN-18]', async () => {
  const file = await importOf(
    zipOf([
      {
        name: 'data.json',
        data: journals(
          [
            entry({
              media: [{ filename: 'a.jpg', file_path: 'u1/a.jpg' }, { filename: 'lost.jpg' }],
              tags: ['x'],
            }),
          ],
          [
            entry({ entry_date: null }),
            entry({ content: '' }),
            entry({ mood_log: { mood_name: 'good' }, location_json: { name: 'D' } }),
          ],
        ),
      },
      { name: 'media/u1/a.jpg', data: 'x' },
      { name: 'media/u1/other.jpg', data: 'x' },
    ]),
  )
  expect(file.format).toBe('journiv')
  expect(file.entries.map(({ place }) => place)).toEqual(['data.json, entry 1', 'data.json, entry 4'])
  expect(file.notUnderstood).toEqual([{ place: 'data.json, entry 2', reason: 'This entry has no date.' }])
  // Four entries, three pictures, and tags, moods and places.
  expect(countOf(file)).toBe(4 + 3 + 3)
})
