import { expect, test } from 'vitest'
import { type Content, importOf } from '#contract/testing/import-samples.ts'
import { zipOf } from '#contract/testing/zip-writer.ts'

// Each program's file is written from a random list of kinds of entries. The writer counts while it writes.

type Kind = 'good' | 'bad' | 'empty' | 'picture'
const kinds: Kind[] = ['good', 'good', 'bad', 'empty', 'picture']

/** Each kind of entry, as a program writes it. An entry with a picture is a good one. */
interface Program {
  entry: (kind: Kind, index: number) => Content
  file: (entries: Content[]) => Record<string, Content>
  /** Files beside the entries that are skipped. */
  others: number
}

const json = (of: (kind: Kind) => object) => (kind: Kind) =>
  kind === 'bad' ? '{"a": }' : JSON.stringify(of(kind))
const textFor = (kind: Kind) => (kind === 'empty' ? ' ' : 'Rain.')
const htmlFor = (kind: Kind) => `<p>${textFor(kind)}</p>${kind === 'picture' ? '<img src="a.jpg">' : ''}`
const notUtf8 = Uint8Array.of(0x3c, 0x70, 0x3e, 0xff)
const filesNamed =
  (nameOf: (index: number) => string, others: Record<string, string> = {}) =>
  (entries: Content[]) => ({
    ...Object.fromEntries(entries.map((entry, index) => [nameOf(index), entry])),
    ...others,
  })
const htmlFile = (kind: Kind, page: (html: string) => string) =>
  kind === 'bad' ? notUtf8 : page(htmlFor(kind))

const programs: Record<string, Program> = {
  dayone: {
    entry: json((kind) => ({
      creationDate: '2024-03-01T10:00:00Z',
      text: textFor(kind),
      ...(kind === 'picture' && { photos: [{ identifier: 'A' }] }),
    })),
    file: (entries) => ({
      'a.json': `{"metadata": {}, "entries": [${entries.join(',')}]}`,
      'photos/b.jpg': 'x',
    }),
    others: 1,
  },
  journiv: {
    entry: json((kind) => ({
      entry_date: '2024-03-01',
      content: textFor(kind),
      media: kind === 'picture' ? [{ filename: 'a.jpg' }] : [],
    })),
    file: (entries) => ({
      'data.json': `{"journals": [{"entries": [${entries.join(',')}]}]}`,
      'media/b.jpg': 'x',
    }),
    others: 1,
  },
  ghost: {
    entry: json((kind) => ({ title: '', html: htmlFor(kind) })),
    file: (entries) => ({
      'ghost.json': `{"db": [{"data": {"posts": [${entries.join(',')}], "tags": []}}]}`,
    }),
    others: 0,
  },
  wordpress: {
    entry: (kind) =>
      `<item><title></title><content:encoded><![CDATA[${kind === 'bad' ? '<b>'.repeat(2000) : htmlFor(kind)}]]></content:encoded></item>`,
    file: (entries) => ({
      'a.xml': `<rss xmlns:wp="http://wordpress.org/export/1.2/"><channel>${entries.join('\n')}</channel></rss>`,
    }),
    others: 0,
  },
  substack: {
    entry: (kind) => htmlFile(kind, (html) => html),
    file: (entries) => ({
      ...filesNamed((index) => `posts/${index}.a.html`)(entries),
      'posts.csv': `post_id,title\n${entries.map((_, index) => `${index}.a,\n`).join('')}`,
      'email_list.csv': 'x',
    }),
    others: 1,
  },
  medium: {
    entry: (kind) => htmlFile(kind, (html) => `<section class="e-content">${html}</section>`),
    file: filesNamed((index) => `posts/${index}.html`, { 'README.html': 'x' }),
    others: 1,
  },
  applejournal: {
    entry: (kind) =>
      kind === 'bad' ? htmlFor('good') : `<div class="pageHeader">Friday, 1 March 2024</div>${htmlFor(kind)}`,
    file: filesNamed((index) => `Entries/${index}.html`, { 'index.html': 'x', 'Resources/b.mov': 'x' }),
    others: 2,
  },
  markdown: {
    entry: (kind) => (kind === 'bad' ? notUtf8 : kind === 'picture' ? `![](a.jpg)` : textFor(kind)),
    file: filesNamed((index) => `2024-03-01 ${index}.md`, { 'a.jpg': 'x' }),
    others: 1,
  },
}

test.each(Object.entries(programs))(
  'what an import counts is what the writer of the file counted: %s [OWN-18]',
  async (format, { entry, file, others }) => {
    let seed = 7
    const next = (below: number) => (seed = (seed * 48271) % 2147483647) % below
    for (let round = 0; round < 20; round++) {
      const list = Array.from({ length: 1 + next(30) }, () => kinds[next(kinds.length)]!)
      const count = (kind: Kind) => list.filter((each) => each === kind).length
      const files = file(list.map(entry))
      const zip = zipOf(Object.entries(files).map(([name, data]) => ({ name, data })))
      const { entries, notUnderstood, skipped, ...found } = await importOf(zip)
      // Pictures in Markdown are a part of the text as it was typed.
      const pictures = format === 'markdown' ? 0 : count('picture')
      expect(found.format).toBe(format)
      expect({
        entries: entries.length,
        notUnderstood: notUnderstood.length,
        skipped: skipped.length,
      }).toEqual({
        entries: count('good') + count('picture'),
        notUnderstood: count('bad'),
        skipped: count('empty') + pictures + others,
      })
    }
  },
)

test.each(Object.entries(programs))(
  'a damaged file ends in entries or in a sentence: %s [OWN-14]',
  async (_format, { entry, file }) => {
    let seed = 11
    const next = (below: number) => (seed = (seed * 48271) % 2147483647) % below
    const [[name, content], ...rest] = Object.entries(
      file(['good', 'picture', 'good'].map((kind, index) => entry(kind as Kind, index))),
    ) as [[string, Content], ...[string, Content][]]
    for (let round = 0; round < 300; round++) {
      const bytes = Buffer.from(content)
      for (let changes = 0; changes <= next(5); changes++) bytes[next(bytes.length)] = next(256)
      const damaged = new Uint8Array(bytes.subarray(0, round % 3 === 0 ? next(bytes.length) : bytes.length))
      const outcome = await importOf(Object.fromEntries([[name, damaged], ...rest])).then(
        ({ entries }) => entries.every(({ text }) => typeof text === 'string' && !text.includes('\0')),
        (error: Error) => error.name,
      )
      expect([true, 'ImportRefused'], `round ${round}`).toContain(outcome)
    }
  },
)
