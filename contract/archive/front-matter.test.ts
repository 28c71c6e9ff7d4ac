import fc from 'fast-check'
import { expect, test } from 'vitest'
import { documentSourceMaxLength, documentTitleMaxLength } from '#contract/documents/document.ts'
import { authorNameMaxLength, tagMaxLength, tagsMax } from '#contract/feed/post.ts'
import { readFrontMatter, writeFrontMatter } from './front-matter.ts'

/** What the fields of our files hold. */
const value = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', ' ', '~', 'yes', 'null', '1e3', '0x1f', '2025-06-10', '---', '...', ': ', '- a', '# b'),
  fc.constantFrom('a\r\nb', 'a\rb', '\ufeff', '\u0085', '\u2028', 'a\n---\nb', '"\'', '%x', '&a', '*a', '!t'),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.string({ unit: 'binary' })),
)
const fields = fc.dictionary(fc.constantFrom('date', 'title', 'tags', 'author_name'), value)
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '\n', '---\n', '---\na: b\n---\nc', 'a\r\nb', 'no line end', '\r\n---\r\n', '\ufeffa'),
)

test('any fields and any text that are written into a file are read back, character by character [OWN-06]', () => {
  fc.assert(
    fc.property(fields, texts, (given, text) => {
      const read = readFrontMatter(writeFrontMatter(given, text))
      expect(read).toEqual({ fields: { ...given }, text })
    }),
    { numRuns: 2000 },
  )
})

const long = 'A name of many words '.repeat(10).trim()

test('a file of ours shows its fields one a line, and then the text as it was typed [OWN-06]', () => {
  const written = {
    date: '2025-06-10',
    created_at: null,
    title: 'Rain: a "song"',
    author_name: long,
    tags: ['night', 'a, b'],
  }
  expect(writeFrontMatter(written, '---\nRain\r\n').split('\n')).toEqual([
    '---',
    'date: 2025-06-10',
    'created_at: null',
    `title: 'Rain: a "song"'`,
    `author_name: ${long}`,
    'tags:',
    '  - night',
    '  - a, b',
    '---',
    '---',
    'Rain\r',
    '',
  ])
})

test.each([
  ['no front matter', 'Rain\n---\n'],
  ['a rule alone', '---\nRain'],
  ['front matter that is no YAML', '---\na: [b\n---\nRain'],
  ['a list', '---\n- a\n---\nRain'],
  ['a word', '---\nRain\n---\nSnow'],
  ['a thousandfold alias', `---\na: &a [${'b, '.repeat(50)}b]\nc: [${'*a, '.repeat(200)}*a]\n---\nRain`],
  ['many lists in lists', `---\na: ${'['.repeat(16_000)}\n---\nRain`],
  ['front matter of 16 KiB', `---\na: ${'b'.repeat(2 ** 14 - 4)}\n---\nRain`],
])('a file with %s is a text as a whole [OWN-06]', (_what, file) => {
  expect(readFrontMatter(file)).toEqual({ fields: {}, text: file })
})

test.each([
  ['Windows line ends', '---\r\ntitle: Rain\r\n---\r\nIt fell.\r\n', 'It fell.\r\n'],
  ['a byte order mark', '\ufeff---\ntitle: Rain\n---\nIt fell.', 'It fell.'],
  ['no text', '---\ntitle: Rain\n---', ''],
])('a file of another program with %s is read [OWN-06]', (_what, file, text) => {
  expect(readFrontMatter(file)).toEqual({ fields: { title: 'Rain' }, text })
})

test('the last of several fields with one name is read: a search for equal names would be slow [OWN-14]', () => {
  expect(readFrontMatter('---\na: 1\nb: 2\na: 3\n---\nRain')).toEqual({
    fields: { a: 3, b: 2 },
    text: 'Rain',
  })
})

test('the longest front matter of ours is read [OWN-06]', () => {
  // A control character is written as an escape of four characters.
  const name = (length: number) => '\u0001'.repeat(length)
  const fields = {
    id: '01890a5d-ac96-774b-bcce-b302099a8057',
    source: name(documentSourceMaxLength),
    title: name(documentTitleMaxLength),
    author_name: name(authorNameMaxLength),
    tags: Array(tagsMax).fill(name(tagMaxLength)),
    created_at: '2025-06-01T08:00:00.000Z',
  }
  expect(readFrontMatter(writeFrontMatter(fields, 'Rain'))).toEqual({ fields, text: 'Rain' })
})
