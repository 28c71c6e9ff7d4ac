import { type FeedFormat, feedTypes } from '#contract/syndication/paths.ts'
import { escapeMarkup } from '#server/platform/escape.ts'
import { asHtml, forXml, slicesOf } from './text.ts'
import { declaration, open, tag, text } from './xml.ts'

interface FeedAuthor {
  name: string
  /** The page of the author. */
  url?: string
}

export interface FeedItem {
  /** The UUID of the post or of the story. */
  id: string
  url: string
  title: string
  text: string
  /** The address of the whole text, when the text was too long for a feed. */
  restUrl?: string
  authors: FeedAuthor[]
  publishedAt: string
  /** When the text last changed: `publishedAt` while it is the first one. */
  changedAt: string
  cover?: { url: string; width: number; height: number }
}

/** A page of a feed, with absolute addresses. */
export interface FeedPage {
  /** The UUID of the feed, the same for all its formats and pages. */
  id: string
  title: string
  description: string
  author: FeedAuthor
  /** The page that shows the same. */
  homeUrl: string
  selfUrl: string
  /** The first page of the feed. */
  currentUrl: string
  /** The page with the items before these. */
  olderUrl: string | undefined
  hubUrl: string | undefined
  items: FeedItem[]
}

/** Of the titles and descriptions. The texts of people may be in any language, which nothing states. */
const language = 'en'

const urn = (uuid: string) => `urn:uuid:${uuid}`

/** The time of change of a feed without items. */
const never = '1970-01-01T00:00:00.000Z'
const updatedAt = ({ items }: FeedPage) =>
  items.reduce((last, { changedAt }) => (changedAt > last ? changedAt : last), never)

/** As many characters of a document as are written within ten milliseconds. */
export const turnLength = 64 * 1024

const writers: Record<FeedFormat, (page: FeedPage) => Generator<string>> = {
  atom: asAtom,
  rss: asRss,
  json: asJson,
}

/**
 * The document of a page. Nothing that a person has written is markup in it. To write a megabyte takes longer than the event
 * loop may wait, so the document comes in slices (S51).
 */
export const writeFeed = (format: FeedFormat, page: FeedPage): Generator<string> =>
  writers[format]({
    ...page,
    title: neverBlank(page.title),
    description: forXml(page.description),
    author: cleanAuthor(page.author),
    items: page.items.map((item) => ({
      ...item,
      title: neverBlank(item.title),
      authors: item.authors.map(cleanAuthor),
    })),
  })

const cleanAuthor = ({ name, url }: FeedAuthor): FeedAuthor => ({
  name: neverBlank(name),
  ...(url && { url }),
})

/** A title or a name, with an ellipsis in place of a blank one. */
const neverBlank = (text: string) => (/[^\p{White_Space}]/u.test(text) ? forXml(text) : '…')

const restLine = 'Read on:'

function* textOf({ text, restUrl }: FeedItem): Generator<string> {
  yield* slicesOf(text)
  if (restUrl !== undefined) yield `\n\n${restLine} ${restUrl}`
}

function* htmlOf({ text, restUrl }: FeedItem): Generator<string> {
  yield* asHtml(text)
  if (restUrl === undefined) return
  const address = escapeMarkup(restUrl)
  yield `\n<p>${restLine} <a href="${address}">${address}</a></p>`
}

/** The HTML in a CDATA section, which is shorter than escaped HTML. `]]>` is not in it, as its texts have `&gt;`. */
function* cdataOf(item: FeedItem): Generator<string> {
  yield '<![CDATA['
  yield* htmlOf(item)
  yield ']]>'
}

function* asAtom(page: FeedPage): Generator<string> {
  yield `${declaration}${open('feed', { xmlns: atomNamespace, 'xml:lang': language })}`
  yield [
    text('id', urn(page.id)),
    text('title', page.title),
    text('subtitle', page.description),
    text('updated', updatedAt(page)),
    atomAuthor(page.author),
    tag('link', { rel: 'alternate', type: 'text/html', href: page.homeUrl }),
    ...linksOf(page, 'atom').map((link) => tag('link', link)),
  ].join('\n')
  for (const item of page.items) {
    yield `\n${open('entry')}`
    yield [
      text('id', urn(item.id)),
      text('title', item.title),
      text('published', item.publishedAt),
      text('updated', item.changedAt),
      ...item.authors.map(atomAuthor),
      tag('link', { rel: 'alternate', type: 'text/html', href: item.url }),
      open('content', { type: 'html' }),
    ].join('\n')
    yield* cdataOf(item)
    yield '</content></entry>'
  }
  yield '</feed>\n'
}

const atomAuthor = ({ name, url }: FeedAuthor) =>
  tag('author', {}, [text('name', name), ...(url === undefined ? [] : [text('uri', url)])])

function* asRss(page: FeedPage): Generator<string> {
  yield `${declaration}${open('rss', rssAttributes)}${open('channel')}`
  yield [
    text('title', page.title),
    text('link', page.homeUrl),
    text('description', page.description),
    text('language', language),
    text('lastBuildDate', asRfc822(updatedAt(page))),
    ...linksOf(page, 'rss').map((link) => tag('atom:link', link)),
  ].join('\n')
  for (const item of page.items) {
    yield `\n${open('item')}`
    yield [
      text('title', item.title),
      text('link', item.url),
      text('guid', urn(item.id), { isPermaLink: 'false' }),
      text('pubDate', asRfc822(item.publishedAt)),
      ...(item.changedAt === item.publishedAt ? [] : [text('atom:updated', item.changedAt)]),
      // `author` of RSS would be an email address.
      ...item.authors.map(({ name }) => text('dc:creator', name)),
      ...(item.cover === undefined ? [] : [mediaContent(item.cover)]),
      open('description'),
    ].join('\n')
    yield* cdataOf(item)
    yield '</description></item>'
  }
  yield '</channel></rss>\n'
}

/** `enclosure` would need the number of bytes. */
const mediaContent = ({ url, width, height }: NonNullable<FeedItem['cover']>) =>
  tag('media:content', {
    url,
    type: 'image/webp',
    medium: 'image',
    width: String(width),
    height: String(height),
  })

function* asJson(page: FeedPage): Generator<string> {
  const start = JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: page.title,
    description: page.description,
    language,
    home_page_url: page.homeUrl,
    feed_url: page.selfUrl,
    next_url: page.olderUrl,
    authors: [page.author],
    hubs: page.hubUrl && [{ type: 'WebSub', url: page.hubUrl }],
  })
  yield `${start.slice(0, -1)},"items":[`
  for (const [n, item] of page.items.entries()) {
    const start = JSON.stringify({
      id: urn(item.id),
      url: item.url,
      title: item.title,
      image: item.cover?.url,
      date_published: item.publishedAt,
      date_modified: item.changedAt,
      authors: item.authors,
    })
    yield `${n === 0 ? '' : ','}${start.slice(0, -1)},"content_html":"`
    yield* inJson(htmlOf(item))
    yield '","content_text":"'
    yield* inJson(textOf(item))
    yield '"}'
  }
  yield ']}'
}

/** The slices as parts of one string. */
function* inJson(slices: Iterable<string>): Generator<string> {
  for (const slice of slices) yield JSON.stringify(slice).slice(1, -1)
}

const atomNamespace = 'http://www.w3.org/2005/Atom'
const rssAttributes = {
  version: '2.0',
  'xmlns:atom': atomNamespace,
  'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
  'xmlns:media': 'http://search.yahoo.com/mrss/',
}
const asRfc822 = (instant: string) => new Date(instant).toUTCString()

/** The links of a page in XML. An older page names the first one as `current` (RFC 5005). */
const linksOf = (page: FeedPage, format: FeedFormat): Record<string, string>[] => [
  { rel: 'self', type: feedTypes[format], href: page.selfUrl },
  ...(page.selfUrl === page.currentUrl ? [] : [{ rel: 'current', href: page.currentUrl }]),
  ...(page.olderUrl === undefined ? [] : [{ rel: 'prev-archive', href: page.olderUrl }]),
  ...(page.hubUrl === undefined ? [] : [{ rel: 'hub', href: page.hubUrl }]),
]
