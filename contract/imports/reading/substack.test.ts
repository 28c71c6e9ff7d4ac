import { expect, test } from 'vitest'
import { cpuMsOf } from '#contract/testing/cpu-time.ts'
import { countOf, importOf } from '#contract/testing/import-samples.ts'
import { readCsv } from './csv.ts'

test('an archive of Substack is read, and every row and file counts once [OWN-17] [OWN-18]', async () => {
  const file = await importOf({
    'posts.csv': [
      'post_id,post_date,is_published,email_sent_at,type,audience,title,subtitle,podcast_url',
      '101.the-sea,2024-03-01T10:00:00.000Z,true,,newsletter,everyone,"The ""sea"", again",Waves,',
      '102.draft,,false,,newsletter,everyone,A draft,,',
      '103.talk,2024-03-03T10:00:00.000Z,true,,podcast,everyone,"A talk\nin two lines",,https://a.example/a.mp3',
    ].join('\r\n'),
    'posts/101.the-sea.html': '<p>First.</p><img src="https://a.example/b.png">',
    'posts/102.draft.html': '<p>Draft.</p>',
    'posts/99.without-a-row.html': '<p>Old.</p>',
    'posts/101.the-sea.opens.csv': 'email',
    'email_list.csv': 'email',
  })
  const draft = { kind: 'draft', createdAt: null, category: null, tags: [] }
  expect(file.format).toBe('substack')
  expect(file.entries).toEqual([
    {
      ...draft,
      title: 'The "sea", again',
      text: 'Waves\n\nFirst.',
      createdAt: '2024-03-01T10:00:00.000Z',
      place: 'posts/101.the-sea.html',
    },
    { ...draft, title: 'A draft', text: 'Draft.', place: 'posts/102.draft.html' },
    { ...draft, title: 'without a row', text: 'Old.', place: 'posts/99.without-a-row.html' },
  ])
  expect(file.notUnderstood).toEqual([
    { place: 'posts.csv, row 3', reason: 'The archive has no text of this post: A talk\nin two lines' },
  ])
  // Three rows, an HTML file without a row, a picture and two lists of readers.
  expect(countOf(file)).toBe(3 + 1 + 1 + 2)
})

test.each([
  ['a last line without an end', 'a,b\n1,2', [{ a: '1', b: '2' }]],
  ['an empty line', 'a,b\n1,2\n\n', [{ a: '1', b: '2' }]],
  ['a short row', 'a,b\n1', [{ a: '1', b: '' }]],
  ['a column that is not asked for', 'b,c,a\n2,3,1', [{ a: '1', b: '2' }]],
  ['a column that is missing', 'b\n2', [{ b: '2' }]],
  ['a quote that never ends', 'a,b\n"1,2\n3', [{ a: '1,2\n3', b: '' }]],
  ['nothing', '', []],
])('rows of CSV are read: %s [OWN-17]', (_what, text, rows) => {
  expect(readCsv(text, ['a', 'b'])).toEqual(rows)
})

test.each(['"', '""', 'a'])('a CSV file takes linear time: %j [OWN-14]', async (piece) => {
  expect(await cpuMsOf(() => readCsv(piece.repeat(2e6), ['a']))).toBeLessThan(5000)
})

test.each([',', '",', '\n', 'a,"b"\n'])(
  'a CSV file of millions of cells is refused: %j [OWN-14]',
  async (piece) => {
    const read = () => expect(() => readCsv(piece.repeat(5e6), ['a'])).toThrow('too many rows')
    expect(await cpuMsOf(read)).toBeLessThan(5000)
  },
)
