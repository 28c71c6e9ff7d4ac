import { expect, test } from 'vitest'
import * as z from 'zod'
import { feedFormats } from '#contract/syndication/paths.ts'
import { prepareSlices } from '#server/platform/http/answers/prepared.ts'
import { longestTurnOf } from '#server/testing/loop-turns.ts'
import { type FeedPage, turnLength, writeFeed as writeSlices } from './documents.ts'
import { childrenOf, linksOf, parseXml, textOf, textOfHtml } from './testing.ts'

const writeFeed = (...order: Parameters<typeof writeSlices>) => [...writeSlices(...order)].join('')

const uuid = (n: number) => `01975a6b-3f00-7000-8000-${String(n).padStart(12, '0')}`

const itemOf = (n: number, text = 'A line.\nAnother one.\n\nA paragraph.', title = 'A line.') => ({
  id: uuid(n),
  url: `https://zimmer.example/posts/${uuid(n)}`,
  title,
  text,
  authors: [{ name: 'Ana Lima', url: 'https://zimmer.example/people/k7q2m4xp3d' }],
  publishedAt: '2025-06-10T12:00:00.000Z',
  changedAt: '2025-06-10T12:00:00.000Z',
})

const pageOf = (changes: Partial<FeedPage> = {}): FeedPage => ({
  id: uuid(0),
  title: 'Z!mmer',
  description: 'The newest posts.',
  author: { name: 'Z!mmer' },
  homeUrl: 'https://zimmer.example/dashboard',
  selfUrl: 'https://zimmer.example/feed',
  currentUrl: 'https://zimmer.example/feed',
  olderUrl: undefined,
  hubUrl: undefined,
  items: [itemOf(1), itemOf(2)],
  ...changes,
})

const hostile: [name: string, text: string][] = [
  ['a script', '<script>alert(1)</script>'],
  ['the end of its element', '</title></item></content></entry></feed>'],
  ['the end of a CDATA section', 'a ]]> b ]]]]>> c ]]&gt;'],
  ['the start of a CDATA section', '<![CDATA[ <b>bold</b> ]]>'],
  ['a comment and an instruction', '<!-- x --> <?php echo 1 ?> <!DOCTYPE a>'],
  ['entities', '&amp; &lt; &#0; &nbsp; &unknown; & &apos; &#x0;'],
  ['quotes', `"double" 'single' \`back\``],
  ['a handler of an image', '<img src=x onerror="alert(1)">'],
  ['controls of direction', 'abc \u202e def \u2066 ghi \u2069 \u200f'],
  ['emoji', '🪔 👩‍👩‍👧‍👦 🏳️‍🌈 é é'],
  ['a byte order mark and noncharacters', '\ufeffa \ufdd0 b'],
  ['lines of Unicode', 'one\u0085two\u2028three\u2029four'],
  ['50,000 characters', '🪔'.repeat(50_000)],
  ['50,000 signs of markup', '<'.repeat(50_000)],
]

/** What no document can contain. */
const impossible: [name: string, text: string, shown: string][] = [
  ['NUL', 'a\u0000b', 'a\ufffdb'],
  ['control characters', 'a\u0001\u0008\u000b\u000c\u001fb', `a${'\ufffd'.repeat(5)}b`],
  ['half of an emoji', 'a\ud83eb \udd14', 'a\ufffdb \ufffd'],
  ['noncharacters at the end of the plane', 'a\ufffe\uffffb', 'a\ufffd\ufffdb'],
]

const cases = [...hostile.map(([name, text]) => [name, text, text] as const), ...impossible]

/** Title, author and text of the only item of a feed. */
const readers = {
  atom(document: string) {
    const [entry] = childrenOf(parseXml(document), 'entry')
    const [content] = childrenOf(entry!, 'content')
    expect(content!.attributes.type).toBe('html')
    return {
      title: textOf(entry!, 'title'),
      name: textOf(childrenOf(entry!, 'author')[0]!, 'name'),
      text: textOfHtml(content!.text),
    }
  },
  rss(document: string) {
    const [item] = childrenOf(childrenOf(parseXml(document), 'channel')[0]!, 'item')
    return {
      title: textOf(item!, 'title'),
      name: textOf(item!, 'dc:creator'),
      text: textOfHtml(textOf(item!, 'description')!),
    }
  },
  json(document: string) {
    const { items } = JSON.parse(document) as {
      items: (JsonTexts['items'][number] & { title: string; authors: { name: string }[] })[]
    }
    const { title, content_html: html, content_text: text, authors } = items[0]!
    expect(textOfHtml(html)).toBe(text)
    return { title, name: authors[0]!.name, text }
  },
}

test.each(feedFormats.flatMap((format) => cases.map((each) => [format, ...each] as const)))(
  'in %s a title, a name and a text with %s stay text [PUB-11]',
  (format, _name, text, shown) => {
    const item = { ...itemOf(1, text, text), authors: [{ name: text }] }
    const document = writeFeed(format, pageOf({ title: text, author: { name: text }, items: [item] }))
    const read = readers[format](document)
    const trimmed = Object.values(read).map((each) => each?.trim())
    expect(trimmed).toEqual(Array(3).fill(shown.trim()))
  },
)

test.each(feedFormats)(
  'in %s the lines of a verse keep their indentation and the gaps in them [PUB-05]',
  async (format) => {
    const verse = 'One\n  two,\n\tthree  four\n\n   five six'
    const document = writeFeed(format, pageOf({ items: [itemOf(1, verse)] }))
    const shown = 'One<br>\u00a0\u00a0two,<br>\u2003three \u00a0four</p>\n<p>\u00a0\u00a0\u00a0five six'
    expect(htmlIn[format](document)).toBe(`<p>${shown}</p>`)
  },
)

const htmlIn = {
  atom: (document: string) => textOf(childrenOf(parseXml(document), 'entry')[0]!, 'content'),
  rss: (document: string) =>
    textOf(childrenOf(childrenOf(parseXml(document), 'channel')[0]!, 'item')[0]!, 'description'),
  json: (document: string) => (JSON.parse(document) as JsonTexts).items[0]!.content_html,
}

interface JsonTexts {
  items: { content_html: string; content_text: string }[]
}

const longestSlice = 16_384

test.each(
  feedFormats.flatMap((format) =>
    [
      '🪔🪔🪔',
      ']]]>]]>',
      '&amp;<>""',
      'one  two   three',
      '\t\t tab',
      'one\n  two\n\n  three',
      'one\n\n\n\n\ntwo',
      '\n \n \n\n two',
      '\u2028 two',
    ].map((text) => [format, text] as const),
  ),
)('in %s a text with %j stays as it is where a slice ends [PUB-11]', (format, text) => {
  const read = (start: string) => {
    const document = writeFeed(format, pageOf({ items: [itemOf(1, `${start}${text}|`)] }))
    const [item] = format === 'json' ? (JSON.parse(document) as JsonTexts).items : []
    return [htmlIn[format](document)!, item?.content_text ?? '']
  }
  const short = read('x')
  for (let length = longestSlice - text.length - 1; length <= longestSlice + 1; length++) {
    const start = 'x'.repeat(length)
    expect([length, ...read(start)]).toEqual([length, ...short.map((each) => each.replace('x', start))])
  }
})

const megabyte = 1024 * 1024

test.each(
  feedFormats.flatMap((format) =>
    ['&', '"', '<', '  ', 'x\n'].flatMap((text) => [1, 20].map((items) => [format, text, items] as const)),
  ),
)(
  'in %s a megabyte of %j in %i items keeps the event loop busy for less than 50 ms at a time [S51]',
  async (format, text, items) => {
    const each = itemOf(1, text.repeat(megabyte / items / text.length))
    const page = pageOf({ items: Array.from({ length: items }, () => each) })
    const write = () => prepareSlices(writeSlices(format, page), turnLength)
    expect(await longestTurnOf(write, 50)).toBeLessThan(50)
  },
)

test.each(feedFormats)('in %s a blank title is shown as an ellipsis [PUB-11]', async (format) => {
  for (const title of ['', ' ', '\u0085\u3000']) {
    const document = writeFeed(format, pageOf({ title, items: [itemOf(1, 'A text', title)] }))
    expect(readers[format](document).title).toBe('…')
  }
})

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const rfc822 = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/
const urn = /^urn:uuid:[0-9a-f-]{36}$/
const absolute = /^https:\/\/zimmer\.example\//

const older = pageOf({
  selfUrl: 'https://zimmer.example/feed?before=2025-06-10T12:00:00.000Z_1&x',
  olderUrl: 'https://zimmer.example/feed?before=2',
  hubUrl: 'https://hub.example/',
})

test('an Atom feed has the elements that RFC 4287 and RFC 5005 require [PUB-05]', async () => {
  for (const page of [pageOf(), older, pageOf({ items: [] })]) {
    const feed = parseXml(writeFeed('atom', page))
    expect([feed.name, textOf(feed, 'id'), textOf(feed, 'title')]).toEqual([
      'feed',
      `urn:uuid:${uuid(0)}`,
      'Z!mmer',
    ])
    expect(textOf(feed, 'updated')).toMatch(rfc3339)
    expect(childrenOf(feed, 'author')).toHaveLength(1)
    const entries = childrenOf(feed, 'entry')
    expect(new Set(entries.map((entry) => textOf(entry, 'id'))).size).toBe(page.items.length)
    for (const entry of entries) {
      expect(textOf(entry, 'id')).toMatch(urn)
      expect([textOf(entry, 'published'), textOf(entry, 'updated')]).toEqual([
        expect.stringMatching(rfc3339),
        expect.stringMatching(rfc3339),
      ])
      expect(linksOf(entry).alternate).toMatch(absolute)
      expect(textOf(childrenOf(entry, 'author')[0]!, 'uri')).toMatch(absolute)
    }
  }
  const { attributes } = parseXml(writeFeed('atom', pageOf()))
  expect(attributes).toEqual({ lang: 'en' })
  expect(linksOf(parseXml(writeFeed('atom', pageOf())))).toEqual({
    alternate: 'https://zimmer.example/dashboard',
    self: 'https://zimmer.example/feed',
  })
  expect(linksOf(parseXml(writeFeed('atom', older)))).toEqual({
    alternate: 'https://zimmer.example/dashboard',
    self: older.selfUrl,
    current: 'https://zimmer.example/feed',
    'prev-archive': older.olderUrl,
    hub: 'https://hub.example/',
  })
})

test('an RSS feed has the elements that RSS 2.0 and its best practices require [PUB-05]', async () => {
  for (const page of [pageOf(), older, pageOf({ items: [] })]) {
    const rss = parseXml(writeFeed('rss', page))
    expect([rss.name, rss.attributes.version]).toEqual(['rss', '2.0'])
    const [channel] = childrenOf(rss, 'channel')
    expect([textOf(channel!, 'title'), textOf(channel!, 'link'), textOf(channel!, 'description')]).toEqual([
      'Z!mmer',
      page.homeUrl,
      page.description,
    ])
    expect(textOf(channel!, 'language')).toBe('en')
    expect(textOf(channel!, 'lastBuildDate')).toMatch(rfc822)
    expect(linksOf(channel!).self).toBe(page.selfUrl)
    const items = childrenOf(channel!, 'item')
    expect(new Set(items.map((item) => textOf(item, 'guid'))).size).toBe(page.items.length)
    for (const item of items) {
      const [guid] = childrenOf(item, 'guid')
      expect([guid!.text, guid!.attributes]).toEqual([expect.stringMatching(urn), { isPermaLink: 'false' }])
      expect(textOf(item, 'pubDate')).toMatch(rfc822)
      expect(textOf(item, 'link')).toMatch(absolute)
      expect(textOf(item, 'dc:creator')).toBe('Ana Lima')
    }
  }
  const [channel] = childrenOf(parseXml(writeFeed('rss', older)), 'channel')
  expect(linksOf(channel!)).toMatchObject({
    current: older.currentUrl,
    'prev-archive': older.olderUrl,
    hub: older.hubUrl,
  })
})

const Url = z.string().regex(absolute)
const Author = z.strictObject({ name: z.string().min(1), url: Url.optional() })

/** The fields that we write, of https://www.jsonfeed.org/version/1.1/. */
const JsonFeed = z.strictObject({
  version: z.literal('https://jsonfeed.org/version/1.1'),
  title: z.string().min(1),
  description: z.string().min(1),
  language: z.literal('en'),
  home_page_url: Url,
  feed_url: Url,
  next_url: Url.optional(),
  authors: z.array(Author).min(1),
  hubs: z.array(z.strictObject({ type: z.literal('WebSub'), url: z.url() })).optional(),
  items: z.array(
    z.strictObject({
      id: z.string().regex(urn),
      url: Url,
      title: z.string().min(1),
      image: Url.optional(),
      content_html: z.string().min(1),
      content_text: z.string().min(1),
      date_published: z.string().regex(rfc3339),
      date_modified: z.string().regex(rfc3339),
      authors: z.array(Author).min(1),
    }),
  ),
})

test('RSS and JSON Feed name the cover of a post, and nothing where there is none [PUB-05]', async () => {
  const cover = { url: 'https://zimmer.example/uploads/covers/1.webp', width: 1600, height: 900 }
  const page = pageOf({ items: [{ ...itemOf(1), cover }, itemOf(2)] })
  const rss = writeFeed('rss', page)
  expect(rss).toContain('xmlns:media="http://search.yahoo.com/mrss/"')
  const contents = childrenOf(childrenOf(parseXml(rss), 'channel')[0]!, 'item').map((item) =>
    childrenOf(item, 'media:content').map(({ attributes }) => attributes),
  )
  const attributes = { url: cover.url, type: 'image/webp', medium: 'image', width: '1600', height: '900' }
  expect(contents).toEqual([[attributes], []])
  const feed = JsonFeed.parse(JSON.parse(writeFeed('json', page)))
  expect(feed.items.map(({ image }) => image)).toEqual([cover.url, undefined])
})

test('a JSON feed follows version 1.1 and has no field that it does not define [PUB-05]', async () => {
  for (const page of [pageOf(), older, pageOf({ items: [] })]) {
    const feed = JsonFeed.parse(JSON.parse(writeFeed('json', page)))
    expect(feed.items).toHaveLength(page.items.length)
    expect(feed).toMatchObject({ feed_url: page.selfUrl, ...(page.olderUrl && { next_url: page.olderUrl }) })
  }
})

test('a text that was cut ends with a link to the rest [PUB-05]', async () => {
  const restUrl = 'https://zimmer.example/stories/1?a&b'
  const cut = pageOf({ items: [{ ...itemOf(1), restUrl }] })
  const [entry] = childrenOf(parseXml(writeFeed('atom', cut)), 'entry')
  expect(textOf(entry!, 'content')).toContain(
    '<p>Read on: <a href="https://zimmer.example/stories/1?a&amp;b">https://zimmer.example/stories/1?a&amp;b</a></p>',
  )
  const { items } = JSON.parse(writeFeed('json', cut)) as JsonTexts
  expect(items[0]!.content_text).toMatch(/paragraph\.\n\nRead on: https:\S+$/)
})
