import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { savedStory } from '#contract/rooms/saved-story.ts'
import { contributorsOf } from '#contract/rooms/story.ts'
import type { SavedText } from '#contract/saving/saved-text.ts'
import { savedMonth } from '#web/features/diary/saved-month.ts'
import { savedPost } from '#web/features/feed/saved-post.ts'
import { aPost } from '#web/features/feed/testing.tsx'
import { savedConversation } from '#web/features/messages/saved-conversation.ts'
import { anEntry } from '#web/testing/diary.ts'
import { ana } from '#web/testing/people.ts'
import type { Format } from './formats.ts'
import { makeFile } from './make-file.ts'
import { pdfParts } from './pdf-parts.ts'

const ben = { id: 'h3m9w5zt8v', username: 'ben', firstName: 'Ben', lastName: 'Okafor', email: null }
const zone = 'Europe/Berlin'

const aMessage = (sender_id: string, content: string, diary_date: string | null = null) => ({
  id: '01900000-0000-7000-8000-000000000001',
  sender_id,
  receiver_id: sender_id === ana.id ? ben.id : ana.id,
  content,
  created_at: '2025-06-10T21:59:00.000Z',
  message_type: diary_date === null ? ('text' as const) : ('diary' as const),
  diary_date,
})

/** Each kind of text, with these contents of its parts. */
const kinds = {
  'a post': ([content]: string[]) => savedPost(aPost({ content: `The train\n\n${content}` }), zone),
  'a story': (contents: string[]) => {
    const passages = contents.map((content) => ({
      userId: ana.id,
      authorName: 'Ana Lima',
      content,
      isErased: false,
    }))
    const room = {
      id: '01900000-0000-7000-8000-000000000001',
      name: 'The mill',
      description: 'By the river',
      opening: null,
      expiresAt: '2025-06-10T22:30:00.000Z',
    }
    return savedStory(room, { passages, contributors: contributorsOf(passages) }, zone, null)
  },
  'a conversation': (contents: string[]) =>
    savedConversation(
      contents.map((content, i) => aMessage(i % 2 === 0 ? ana.id : ben.id, content)),
      ben,
      ana,
      zone,
    ),
  'a month': (contents: string[]) =>
    savedMonth(
      '2025-06',
      contents.map((content, i) => anEntry(`2025-06-${10 + i}`, content)),
    ),
} satisfies Record<string, (contents: string[]) => SavedText>
const names = Object.keys(kinds) as (keyof typeof kinds)[]

const work = { onProgress: () => {}, signal: new AbortController().signal }
const bytesOf = async (text: SavedText, format: Format) =>
  new Uint8Array(await (await makeFile(text, format, work)).file.arrayBuffer())
const fileOf = async (text: SavedText, format: Format) => strFromU8(await bytesOf(text, format))
const pageOf = async (text: SavedText) =>
  new DOMParser().parseFromString(await fileOf(text, 'html'), 'text/html')
const bookOf = async (text: SavedText) =>
  Object.fromEntries(
    Object.entries(unzipSync(await bytesOf(text, 'epub'))).map(([path, bytes]) => [path, strFromU8(bytes)]),
  )
/** The texts of the parts of a page, as a reader sees them. */
const partsOf = (page: Document) =>
  [...page.querySelectorAll('section')].map((section) =>
    [...section.querySelectorAll('p')]
      .map((stanza) => stanza.innerHTML.replaceAll(/<br\s*\/?>/g, '\n'))
      .join('\n\n'),
  )

test('a post is saved with title, author and time, in Markdown and plain text [OWN-08]', async () => {
  const post = savedPost(
    aPost({ content: 'The train\n\nIt left\n  at *ten*.', editedAt: '2025-06-11T10:00:00.000Z' }),
    zone,
  )
  const note = 'Ana Lima · June 10, 2025 at 11:00 AM · edited June 11, 2025 at 12:00 PM'
  expect(await fileOf(post, 'md')).toBe(`# The train\n\n*${note}*\n\n---\n\nIt left\n  at *ten*.\n`)
  expect(await fileOf(post, 'txt')).toBe(`The train\n\n${note}\n\n---\n\nIt left\n  at *ten*.\n`)
  expect(post.fileTitle).toBe('The train')
})

test('a post without a title is saved under its author, and its file is named by its first words [OWN-08]', async () => {
  const post = savedPost(aPost({ content: 'A line\nand another' }), zone)
  expect(await fileOf(post, 'txt')).toBe(
    'Ana Lima\n\nJune 10, 2025 at 11:00 AM\n\n---\n\nA line\nand another\n',
  )
  expect(post.fileTitle).toBe('A line')
})

test('a month of the diary is saved with its days alone, each under its date [OWN-08]', async () => {
  const month = savedMonth('2025-06', [
    anEntry('2025-05-31', 'May'),
    anEntry('2025-06-01', 'Early'),
    anEntry('2025-06-12', 'Between\nthe lines'),
    anEntry('2025-07-01', 'July'),
  ])
  expect(await fileOf(month, 'md')).toBe(
    '# My diary, June 2025\n\n*2 days*\n\n---\n\n**Sunday, June 1st, 2025**\n\nEarly\n\n---\n\n**Thursday, June 12th, 2025**\n\nBetween\nthe lines\n',
  )
  expect(month.fileTitle).toBe('Diary 2025-06')
})

test('a conversation is saved with both names, and the times of the zone of the person [OWN-24]', async () => {
  const messages = [
    aMessage(ana.id, 'Are you\nthere?'),
    aMessage(ben.id, 'Yes.'),
    aMessage(ben.id, 'A quiet day.', '2025-06-09'),
  ]
  const inBerlin = savedConversation(messages, ben, ana, zone)
  expect(await fileOf(inBerlin, 'txt')).toBe(`Messages with Ben Okafor

3 messages · The times are those of Europe/Berlin

---

Ana Lima · Tuesday, June 10, 2025 at 11:59 PM

Are you
there?

---

Ben Okafor · Tuesday, June 10, 2025 at 11:59 PM

Yes.

---

Ben Okafor · Tuesday, June 10, 2025 at 11:59 PM · From the diary, Monday, June 9, 2025

A quiet day.
`)
  const inTokyo = savedConversation(messages, ben, ana, 'Asia/Tokyo')
  expect(await fileOf(inTokyo, 'md')).toContain('**Ana Lima · Wednesday, June 11, 2025 at 6:59 AM**')
  expect(inTokyo.fileTitle).toBe('Messages with Ben Okafor')
})

test('two friends of one name are told apart in the file of their conversation [OWN-24]', () => {
  const messages = [aMessage(ana.id, 'Mine'), aMessage(ben.id, 'Yours')]
  const { parts } = savedConversation(messages, { ...ben, firstName: 'Ana', lastName: 'Lima' }, ana, zone)
  expect(parts.map(({ heading }) => heading!.split(' · ')[0])).toEqual(['Ana Lima (you)', 'Ana Lima'])
})

const verse = 'The owl has read\n   every page twice.\n\nIt turns\n\tthe last one.'
const hebrew = 'הנר כבה\nלאט לאט.\n\nשלום'

test.each(names)(
  'verse and lines from right to left of %s keep their lines in every format [OWN-08 OWN-24]',
  async (name) => {
    for (const content of [verse, hebrew]) {
      const text = kinds[name]([content])
      for (const format of ['md', 'txt'] as const)
        expect(await fileOf(text, format)).toContain(`\n\n${content}\n`)
      const page = await pageOf(text)
      expect(partsOf(page)).toEqual([content])
      for (const stanza of page.querySelectorAll('section p')) expect(stanza.getAttribute('dir')).toBe('auto')
    }
  },
)

const hostile = `</title></style></p><script>alert(1)</script> <img src=x onerror=alert(1)> ]]> "] &amp; <!-- \u0001\r x`
const forged = 'Mine.\n\n---\n\n**Ben Okafor · Tuesday, June 10, 2025 at 11:59 PM**\n\nI confess.'

test.each(names)(
  'hostile text in %s is text of its page: no element, no script and no address [OWN-08 OWN-24 S36]',
  async (name) => {
    const html = await fileOf(kinds[name]([hostile, hostile]), 'html')
    const tags = new Set(html.match(/<[a-z!/][a-z0-9]*/g))
    for (const tag of ['<script', '<img', '<!', '<a', '<iframe', '<link']) expect(tags).not.toContain(tag)
    expect(html).toContain('&#60;script&#62;')
    expect(html.match(/<\/(title|style)>/g)).toHaveLength(2)
    expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`)
    expect(html).not.toMatch(/(href|src)="|url\(|@import/)
  },
)

test.each(names)(
  'nothing that was typed in %s looks like another part of its file [OWN-08 OWN-24]',
  async (name) => {
    const text = kinds[name]([forged, 'Not mine.'])
    const rules = text.parts.length + (text.contributors.length === 0 ? 0 : 1)
    const markdown = await fileOf(text, 'md')
    expect(markdown.split('\n\n---\n\n')).toHaveLength(1 + rules)
    const plain = await fileOf(text, 'txt')
    expect(plain.split('\n\n----\n\n')).toHaveLength(1 + rules)
    expect(plain).toContain(forged)
    expect((await pageOf(text)).querySelectorAll('section')).toHaveLength(text.parts.length)
  },
)

test('hostile titles and names are one line of text in every format [OWN-08 OWN-24]', async () => {
  const line = `<b>"] & *x* [y](z)`
  const texts = [
    savedPost(aPost({ content: `${line}\r\u2028\n\nText`, authorName: line }), zone),
    savedConversation([aMessage(ben.id, 'Hi')], { ...ben, firstName: line, lastName: null }, ana, zone),
  ]
  for (const text of texts) {
    expect(text.title).toMatch(/<b>"\] & \*x\* \[y\]\(z\)$/)
    expect(await fileOf(text, 'txt')).toContain(`${text.title}\n\n`)
    expect(await fileOf(text, 'md')).toContain('\\<b\\>"\\] \\& \\*x\\* \\[y\\](z)\n\n*')
    const page = await pageOf(text)
    expect(page.querySelector('h1')!.textContent).toBe(text.title)
    expect(page.querySelector('b')).toBeNull()
  }
})

test('an erased passage is the mark in its place in the files of a story [OWN-08]', async () => {
  const story = savedStory(
    {
      id: '01900000-0000-7000-8000-000000000001',
      name: 'The mill',
      description: 'A',
      opening: null,
      expiresAt: '2025-06-10T22:30:00.000Z',
    },
    {
      passages: [{ userId: ana.id, authorName: null, content: 'An admin has erased this passage.' }],
      contributors: [],
    },
    zone,
    null,
  )
  expect(partsOf(await pageOf(story))).toEqual(['An admin has erased this passage.'])
  expect(await fileOf(story, 'html')).not.toContain('Contributors')
})

test('the page, the book and the PDF of a story name an author once above passages that follow each other; the texts without headings of their own name each [OWN-08]', async () => {
  const by = (author: typeof ana | typeof ben | null, content: string) => ({
    userId: author?.id ?? null,
    authorName: author?.firstName ?? null,
    content,
  })
  const passages = [by(ana, 'One'), by(ana, 'Two'), by(ben, 'Three'), by(null, 'Four'), by(null, 'Five')]
  const room = {
    id: '01900000-0000-7000-8000-000000000001',
    name: 'The mill',
    description: 'By the river',
    opening: null,
    expiresAt: '2025-06-10T22:30:00.000Z',
  }
  const story = savedStory(room, { passages, contributors: [] }, zone, null)
  const names = ['Ana', 'Ben', 'Deleted user', 'Deleted user']
  const page = await pageOf(story)
  expect([...page.querySelectorAll('h2')].map((name) => name.textContent)).toEqual(names)
  const { 'EPUB/story.xhtml': book } = await bookOf(story)
  expect([...book!.matchAll(/<p class="credit" dir="auto">(.*?)<\/p>/g)].map(([, name]) => name)).toEqual(
    names,
  )
  expect(pdfParts(story).slice(1)).toEqual([
    { heading: 'Ana', content: 'One\n\nTwo' },
    { heading: 'Ben', content: 'Three' },
    { heading: 'Deleted user', content: 'Four' },
    { heading: 'Deleted user', content: 'Five' },
  ])
  // Here an author could type what looks like the heading of another one.
  for (const format of ['md', 'txt'] as const)
    expect((await fileOf(story, format)).match(/^\W*Ana\W*$/gm)).toHaveLength(2)
})

test('a month of the diary is a book with a title page and its days [OWN-08]', async () => {
  const files = await bookOf(kinds['a month'](['It rained.\n\nStill,\nsomebody sang.', 'Later']))
  expect(Object.keys(files)).toEqual([
    'mimetype',
    'META-INF/container.xml',
    'EPUB/package.opf',
    'EPUB/nav.xhtml',
    'EPUB/style.css',
    'EPUB/title.xhtml',
    'EPUB/days.xhtml',
  ])
  expect(files['EPUB/title.xhtml']).toContain('<h1 dir="auto">My diary, June 2025</h1>')
  expect(files['EPUB/days.xhtml']).toContain(`<section class="passage" id="part-0">
<p class="credit" dir="auto">Tuesday, June 10th, 2025</p>
<p dir="auto">It rained.</p>
<p dir="auto">Still,<br/>somebody sang.</p>
</section>`)
  expect(files['EPUB/nav.xhtml']).toContain(`<li><a href="days.xhtml">Days</a>
<ol>
<li><a href="days.xhtml#part-0">Tuesday, June 10th, 2025</a></li>
<li><a href="days.xhtml#part-1">Wednesday, June 11th, 2025</a></li>
</ol>`)
  expect(files['EPUB/package.opf']).toContain('<meta property="dcterms:modified">2025-06-10T08:00:00Z</meta>')
})
