import { expect, test } from 'vitest'
import { countOf, importOf } from '#contract/testing/import-samples.ts'

test.each([
  ['2024-03-01.md', '2024-03-01', null],
  ['2024-03-01 A walk.md', '2024-03-01', null],
  ['Journal 2024-03-01.md', '2024-03-01', null],
  ['2024_03_01.md', '2024-03-01', null],
  ['2024.03.01.txt', '2024-03-01', null],
  ['20240301.txt', '2024-03-01', null],
  ['2024/03/01.md', '2024-03-01', null],
  ['2024/03/01 Friday.md', '2024-03-01', null],
  ['2024-03-01T0830.md', '2024-03-01', '08:30'],
  ['2024-03-01 08-30 Walk.md', '2024-03-01', '08:30'],
  ['2024-03-01_23.59.md', '2024-03-01', '23:59'],
  ['2024-03-01 2075 and later.md', '2024-03-01', null],
  ['2024-03-01-1984-review.md', '2024-03-01', null],
])('the name of a file gives the day: %s [OWN-19]', async (name, day, time) => {
  const { entries } = await importOf({ [name]: 'Rain.' })
  expect(entries).toEqual([{ kind: 'day', of: 'diary', day, time, text: 'Rain.', place: name }])
})

test.each([
  ['date: 2024-03-01', '2024-03-01', null],
  ['date: "2024-03-01"', '2024-03-01', null],
  ['date: 2024-03-01 8:05:00 +0100', '2024-03-01', '08:05'],
  ['date: 2024-03-01T23:30:00-05:00', '2024-03-01', '23:30'],
  ['date: 2024-03-02T03:30:00Z\ntimezone: America/New_York', '2024-03-01', '22:30'],
  ['date: 2024-03-02T03:30:00Z\ntimezone: Mars/Olympus', '2024-03-02', '03:30'],
  ['Created: 2024-03-01', '2024-03-01', null],
  ['creation date: 2024-03-01 10:00', '2024-03-01', '10:00'],
])('the front matter gives the day in the zone of the writer: %s [OWN-19]', async (fields, day, time) => {
  const { entries } = await importOf({ 'A walk.md': `---\n${fields}\n---\nRain.` })
  expect(entries).toMatchObject([{ kind: 'day', day, time, text: 'Rain.' }])
})

test.each([
  [
    'Markdown stays as it was typed',
    '# Sea\n\n* a\\*\n![[pic.png]]  \nend',
    '# Sea\n\n* a\\*\n![[pic.png]]  \nend',
  ],
  ['a title is the first line', '---\ntitle: The sea\n---\nWaves.', 'The sea\n\nWaves.'],
  ['a title stands only once', '---\ntitle: The sea\n---\n# The sea\n\nWaves.', '# The sea\n\nWaves.'],
  ['front matter that is no YAML is text', '---\na: [\n---\nWaves.', '---\na: [\n---\nWaves.'],
  ['an alias bomb is text', bomb(), bomb().trim()],
  ['line ends of Windows', '---\r\ntitle: x\r\n---\r\na\r\nb', 'x\n\na\nb'],
])('the text of a file is read: %s [OWN-09]', async (_what, content, text) => {
  const { entries } = await importOf({ '2024-03-01.md': content })
  expect(entries).toMatchObject([{ kind: 'day', day: '2024-03-01', text }])
})

test('one post of Jekyll has at most 1,000 tags [OWN-14]', async () => {
  const names = Array.from({ length: 1500 }, (_, index) => `${index}`)
  const post = `---\ntags: ${names.join(' ')}\n---\nWaves.`
  const { entries } = await importOf({ '_posts/sea.md': post })
  expect(entries).toMatchObject([{ kind: 'draft', tags: names.slice(0, 1000) }])
})

function bomb() {
  const lines = Array.from({ length: 20 }, (_, level) =>
    level === 0
      ? 'a0: &a0 [x, x]'
      : `a${level}: &a${level} [${Array(10)
          .fill(`*a${level - 1}`)
          .join(', ')}]`,
  )
  return `---\n${lines.join('\n')}\n---\nWaves.`
}

test('the front matter wins over the name, and a damaged date does not [OWN-19]', async () => {
  const { entries } = await importOf({
    'a/2024-03-01.md': '---\ndate: 2023-12-24\n---\nx',
    'b/2024-03-01.md': '---\ndate: yesterday\n---\nx',
    'c/2024-02-30.md': 'x',
  })
  expect(entries).toMatchObject([
    { day: '2023-12-24' },
    { day: '2024-03-01' },
    { kind: 'document', title: '2024-02-30' },
  ])
})

test('posts of Jekyll become drafts with their date, category and tags [OWN-12]', async () => {
  const { entries } = await importOf({
    'site/_posts/2024-03-01-the-sea.md':
      '---\nlayout: post\ntitle: The sea\ndate: 2024-03-01 08:00:00 +0100\ncategories: [Travel, Old]\ntags: sea, waves\n---\nWaves.',
    'site/_drafts/no-date.md': 'Waves.',
  })
  expect(entries).toEqual([
    {
      kind: 'draft',
      title: 'The sea',
      text: 'Waves.',
      createdAt: '2024-03-01T07:00:00.000Z',
      category: 'Travel',
      tags: ['Old', 'sea', 'waves'],
      place: 'site/_posts/2024-03-01-the-sea.md',
    },
    {
      kind: 'draft',
      title: '',
      text: 'Waves.',
      createdAt: null,
      category: null,
      tags: [],
      place: 'site/_drafts/no-date.md',
    },
  ])
})

test('texts without a date become documents, also HTML [OWN-09]', async () => {
  const { entries, skipped } = await importOf({
    'ideas.md': '## Ideas \\#1\n\nA boat.',
    'plain.txt': 'A boat.',
    'page.html': '<title>x</title><h1>A page</h1><p>A <b>boat</b>.</p><img src="../img/b%20c.png">',
    'img/b c.png': 'x',
  })
  expect(entries).toMatchObject([
    { kind: 'document', source: 'Markdown', title: 'Ideas #1', text: '## Ideas \\#1\n\nA boat.' },
    { kind: 'document', source: 'Text file', title: 'plain', text: 'A boat.' },
    { kind: 'document', source: 'HTML', title: 'A page', text: 'A boat.' },
  ])
  expect(skipped).toMatchObject([{ place: 'page.html' }])
})

test('each file counts once, and one bad file stops no other one [OWN-18]', async () => {
  const files = {
    '2024-03-01.md': 'Rain.',
    '2024-03-01 evening.md': 'Still rain.',
    '2024-03-02.md': Uint8Array.of(0x52, 0xe9, 0x67),
    '2024-03-03.md': ' \n',
    '2024-03-04.txt': new Uint8Array(Buffer.from('\ufeffGrüße', 'utf16le')),
    'sea.jpg': 'x',
    'old.zip': 'PK',
    '.DS_Store': 'x',
    '2024-03-05.md': '---\ntags: [a]\nmood: good\n---\nSun.',
  }
  const file = await importOf(files)
  expect(file.entries.map(({ text }) => text)).toEqual(['Rain.', 'Still rain.', 'Grüße', 'Sun.'])
  expect(file.notUnderstood).toEqual([
    { place: '2024-03-02.md', reason: 'This file is not text in UTF-8 or UTF-16.' },
  ])
  expect(file.skipped).toEqual([
    { place: '2024-03-03.md', reason: 'This entry has no text.' },
    { place: 'sea.jpg', reason: 'Pictures and attachments are not imported.' },
    { place: 'old.zip', reason: 'An archive inside another one is not read. Please import it alone.' },
    { place: '.DS_Store', reason: 'This file belongs to a program or an operating system.' },
    { place: '2024-03-05.md', reason: 'Other fields of the front matter are not imported. Found: 1' },
  ])
  // Each file, and the fields that were left out.
  expect(countOf(file)).toBe(Object.keys(files).length + 1)
})
