import { expect, test } from 'vitest'
import { countOf, importOf } from '#contract/testing/import-samples.ts'
import { zipOf } from '#contract/testing/zip-writer.ts'

const journal = (...entries: object[]) => JSON.stringify({ metadata: { version: '1.0' }, entries })
const read = (...entries: object[]) => importOf({ 'Journal.json': journal(...entries) })
const at = (creationDate: string, more: object = {}) => ({ uuid: 'A', creationDate, text: 'Rain.', ...more })
const rich = (...contents: object[]) => JSON.stringify({ meta: { version: 1 }, contents })

test.each([
  ['west of UTC', at('2024-03-02T03:30:00Z', { timeZone: 'America/New_York' }), '2024-03-01', '22:30'],
  ['east of UTC', at('2024-02-29T23:30:00Z', { timeZone: 'Asia/Tokyo' }), '2024-03-01', '08:30'],
  ['in summer time', at('2024-07-01T22:30:00Z', { timeZone: 'Europe/Berlin' }), '2024-07-02', '00:30'],
  ['a zone in capitals', at('2024-03-02T03:30:00Z', { timeZone: 'AMERICA/NEW_YORK' }), '2024-03-01', '22:30'],
  ['a distance from UTC', at('2024-03-01T23:00:00Z', { timeZone: 'GMT+0200' }), '2024-03-02', '01:00'],
  ['a zone that is null', at('2024-03-01T23:30:00Z', { timeZone: null }), '2024-03-01', '23:30'],
  ['no zone', at('2024-03-01T23:30:00Z'), '2024-03-01', '23:30'],
  ['a whole day', at('2024-03-01T23:30:00Z', { timeZone: 'Asia/Tokyo', isAllDay: true }), '2024-03-02', null],
  ['with milliseconds', at('2024-03-01T00:05:09.123Z'), '2024-03-01', '00:05'],
])(
  'an entry of Day One stands under the day of its own zone: %s [OWN-19]',
  async (_what, entry, day, time) => {
    const { entries } = await read(entry)
    expect(entries).toEqual([
      { kind: 'day', of: 'diary', day, time, text: 'Rain.', place: 'Journal.json, entry 1' },
    ])
  },
)

test('the day of an unknown zone is that of UTC, and the report says so [OWN-13] [OWN-19]', async () => {
  const file = await read(at('2024-03-01T23:30:00Z', { timeZone: 'Mars/Olympus' }))
  expect(file.entries).toMatchObject([{ day: '2024-03-01' }])
  expect(file.skipped).toEqual([
    {
      place: 'Journal.json, entry 1',
      reason: 'Unknown time zones were taken as UTC. Entries with such a zone: 1',
    },
  ])
})

test.each([
  [
    'escapes',
    { text: '1\\. March 2024\\. A \\*star\\*, a \\\\ and a \\word' },
    '1. March 2024. A *star*, a \\ and a \\word',
  ],
  ['references to pictures', { text: '![](dayone-moment://AB12)\n\nA ![](dayone-moment:/video/CD)b' }, 'A b'],
  ['line ends of Windows', { text: 'a\r\nb' }, 'a\nb'],
  ['rich text before plain', { text: 'old', richText: rich({ text: 'new' }) }, 'new'],
  ['empty rich text', { text: 'plain', richText: '{}' }, 'plain'],
  ['rich text without text', { text: 'plain', richText: rich({ text: '\n' }) }, 'plain'],
  ['rich text that is no JSON', { text: 'plain', richText: '{' }, 'plain'],
  ['rich text alone', { text: undefined, richText: rich({ text: 'a' }, { text: 'b\nc' }) }, 'ab\nc'],
  [
    'lines of rich text',
    {
      richText: rich(
        { text: 'Title\n', attributes: { line: { header: 1 } } },
        { text: 'one', attributes: { bold: true, line: { listStyle: 'bulleted', indentLevel: 1 } } },
        { text: ' more\n', attributes: { line: { listStyle: 'bulleted', indentLevel: 1 } } },
        { text: 'two\n', attributes: { line: { listStyle: 'numbered', listIndex: 2 } } },
        { text: 'done\n', attributes: { line: { listStyle: 'checkbox', checked: true } } },
        { text: 'said\n', attributes: { line: { quote: true } } },
        { text: 'a page', attributes: { linkURL: 'https://a.example' } },
        { embeddedObjects: [{ type: 'horizontalRuleLine' }] },
        { text: 'end' },
      ),
    },
    'Title\n  - one more\n2. two\n- [x] done\n> said\na page (https://a.example)\n* * *\nend',
  ],
])('the text of an entry of Day One is read: %s [OWN-09]', async (_what, fields, text) => {
  const { entries } = await read(at('2024-03-01T10:00:00Z', fields))
  expect(entries).toMatchObject([{ text }])
})

test('pictures are listed beside their entry, each once, and details once for the file [OWN-13] [OWN-18]', async () => {
  const withAll = {
    text: 'Rain.\n![](dayone-moment://P1)\n![](dayone-moment://LOST)',
    photos: [{ identifier: 'P1', md5: 'aa', height: 0, width: 0 }],
    videos: [{ identifier: 'V1', md5: 'bb', type: 'mov' }],
    pdfAttachments: [{ md5: 'cc' }],
    location: { placeName: 'Delft' },
    weather: { windBearing: 360 },
    tags: ['walk'],
  }
  const file = await importOf(
    zipOf([
      {
        name: 'Journal.json',
        data: journal(at('2024-03-01T10:00:00Z', withAll), at('2024-03-02T10:00:00Z', withAll)),
      },
      { name: 'photos/aa.jpeg', data: 'x' },
      { name: 'photos/unused.jpeg', data: 'x' },
      { name: 'pdfs/cc.pdf', data: 'x' },
    ]),
  )
  const named = (entry: number) =>
    ['P1', 'V1', 'cc', 'LOST'].map((name) => ({
      place: `Journal.json, entry ${entry}`,
      reason: `Pictures and attachments are not imported: ${name}`,
    }))
  expect(file.skipped).toEqual([
    ...named(1),
    ...named(2),
    { place: 'photos/unused.jpeg', reason: 'Pictures and attachments are not imported.' },
    { place: 'Journal.json, entry 1', reason: 'Places are not imported. Found: 2' },
    { place: 'Journal.json, entry 1', reason: 'Weather data are not imported. Found: 2' },
    { place: 'Journal.json, entry 1', reason: 'Tags are not imported. Found: 2' },
  ])
  expect(file.entries).toMatchObject([{ text: 'Rain.' }, { text: 'Rain.' }])
})

test('one bad entry stops no other one, and all journals of a ZIP are read [OWN-18]', async () => {
  const bad = '{"creationDate": "2024-03-01T10:00:00Z", "text": "unfinished}'
  const good = JSON.stringify(at('2024-03-01T10:00:00Z'))
  const file = await importOf(
    zipOf([
      {
        name: 'Home.json',
        data: `{"metadata": {}, "entries": [${good}, {"text": "no date"}, 7, ${good}, {"a": nan}]}`,
      },
      {
        name: 'Work.json',
        data: journal(
          at('2024-03-01T11:00:00Z'),
          at('1850-03-01T10:00:00Z'),
          at('2024-03-03T10:00:00Z', { text: ' ' }),
        ),
      },
      { name: 'Cut.json', data: `{"metadata": {}, "entries": [${good}, ${bad}` },
    ]),
  )
  expect(file.entries.map(({ place }) => place)).toEqual([
    'Home.json, entry 1',
    'Home.json, entry 4',
    'Work.json, entry 1',
    'Cut.json, entry 1',
  ])
  expect(file.notUnderstood).toEqual([
    { place: 'Home.json, entry 2', reason: 'This entry has no date.' },
    { place: 'Home.json, entry 3', reason: 'This entry has no date.' },
    { place: 'Home.json, entry 5', reason: 'This entry is damaged: it is no valid JSON.' },
    { place: 'Work.json, entry 2', reason: 'This entry has no day between the years 1900 and 2100.' },
    { place: 'Cut.json', reason: 'This file is cut or damaged: it is no valid JSON.' },
  ])
  expect(file.skipped).toEqual([{ place: 'Work.json, entry 3', reason: 'This entry has no text.' }])
  // Five, three, and of the cut file one entry and the rest.
  expect(countOf(file)).toBe(5 + 3 + 2)
})

test('characters that cannot be stored are left out [OWN-09]', async () => {
  const { entries } = await read(at('2024-03-01T10:00:00Z', { text: 'a\0b\ud800c' }))
  expect(entries).toMatchObject([{ text: 'ab\ufffdc' }])
})

test('a journal in UTF-16 is read [OWN-14]', async () => {
  const text = `\ufeff${journal(at('2024-03-01T10:00:00Z', { text: 'Grüße 🌊' }))}`
  const { entries } = await importOf({ 'Journal.json': new Uint8Array(Buffer.from(text, 'utf16le')) })
  expect(entries).toMatchObject([{ text: 'Grüße 🌊' }])
})

test('property lists of Day One Classic are read [OWN-09]', async () => {
  const entry = (fields: string) =>
    `<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE plist><plist version="1.0"><dict>${fields}</dict></plist>`
  const file = await importOf({
    'Journal.dayone/entries/A.doentry': entry(
      `<key>Creation Date</key><date>2013-03-02T03:30:00Z</date><key>Creator</key><dict><key>Entry Text</key><string>no</string></dict>
       <key>Entry Text</key><string>Tom &amp; Ann\nwalked.</string><key>Time Zone</key><string>America/New_York</string>
       <key>Tags</key><array><string>walk</string></array>`,
    ),
    'Journal.dayone/entries/B.doentry': entry('<key>Entry Text</key><string>no date</string>'),
    'Journal.dayone/photos/A.jpg': 'x',
  })
  expect(file.entries).toMatchObject([{ day: '2013-03-01', time: '22:30', text: 'Tom & Ann\nwalked.' }])
  expect(file.notUnderstood).toMatchObject([{ reason: 'This entry has no date.' }])
  expect(file.skipped.map(({ reason }) => reason)).toEqual([
    'Pictures and attachments are not imported.',
    'Tags are not imported. Found: 1',
  ])
})
