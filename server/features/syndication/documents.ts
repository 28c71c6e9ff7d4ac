import { setImmediate } from 'node:timers/promises'
import { type FeedFormat, feedTypes } from '#contract/syndication/paths.ts'
import { escapeMarkup } from '#server/platform/escape.ts'
import { asHtml, forXml } from './text.ts'
import { document, html, tag, text } from './xml.ts'

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
  items.reduce((last, { publishedAt }) => (publishedAt > last ? publishedAt : last), never)

/** A page whose texts fit into each format, with the HTML of each item. */
interface CleanPage extends FeedPage {
  items: (FeedItem & { html: string })[]
}

const writers: Record<FeedFormat, (page: CleanPage) => string> = { atom: asAtom, rss: asRss, json: asJson }

/** The document of a page. Nothing that a person has written is markup in it. */
export async function writeFeed(format: FeedFormat, page: FeedPage): Promise<string> {
  const items = []
  for (const item of page.items) {
    items.push(await cleanItem(item))
    // All items together take longer than the event loop may wait (S51).
    await setImmediate()
  }
  return writers[format]({
    ...page,
    title: neverBlank(page.title),
    description: forXml(page.description),
    author: cleanAuthor(page.author),
    items,
  })
}

const restLine = 'Read on:'

/** The item without characters that a format cannot contain, and with a link to the rest of its text. */
async function cleanItem({ restUrl, ...item }: FeedItem) {
  const text = forXml(item.text)
  const html = await asHtml(text)
  const shown = { ...item, title: neverBlank(item.title), authors: item.authors.map(cleanAuthor) }
  if (restUrl === undefined) return { ...shown, text, html }
  const address = escapeMarkup(restUrl)
  return {
    ...shown,
    text: `${text}\n\n${restLine} ${restUrl}`,
    html: `${html}\n<p>${restLine} <a href="${address}">${address}</a></p>`,
  }
}

const cleanAuthor = ({ name, url }: FeedAuthor): FeedAuthor => ({
  name: neverBlank(name),
  ...(url && { url }),
})

/** A title or a name, with an ellipsis in place of a blank one. */
const neverBlank = (text: string) => (/[^\p{White_Space}]/u.test(text) ? forXml(text) : '…')

function asAtom(page: CleanPage): string {
  return document(
    tag('feed', { xmlns: atomNamespace, 'xml:lang': language }, [
      text('id', urn(page.id)),
      text('title', page.title),
      text('subtitle', page.description),
      text('updated', updatedAt(page)),
      atomAuthor(page.author),
      tag('link', { rel: 'alternate', type: 'text/html', href: page.homeUrl }),
      ...linksOf(page, 'atom').map((link) => tag('link', link)),
      ...page.items.map((item) =>
        tag('entry', {}, [
          text('id', urn(item.id)),
          text('title', item.title),
          text('published', item.publishedAt),
          text('updated', item.publishedAt),
          ...item.authors.map(atomAuthor),
          tag('link', { rel: 'alternate', type: 'text/html', href: item.url }),
          html('content', item.html, { type: 'html' }),
        ]),
      ),
    ]),
  )
}

const atomAuthor = ({ name, url }: FeedAuthor) =>
  tag('author', {}, [text('name', name), ...(url === undefined ? [] : [text('uri', url)])])

function asRss(page: CleanPage): string {
  return document(
    tag('rss', rssAttributes, [
      tag('channel', {}, [
        text('title', page.title),
        text('link', page.homeUrl),
        text('description', page.description),
        text('language', language),
        text('lastBuildDate', asRfc822(updatedAt(page))),
        ...linksOf(page, 'rss').map((link) => tag('atom:link', link)),
        ...page.items.map((item) =>
          tag('item', {}, [
            text('title', item.title),
            text('link', item.url),
            text('guid', urn(item.id), { isPermaLink: 'false' }),
            text('pubDate', asRfc822(item.publishedAt)),
            // `author` of RSS would be an email address.
            ...item.authors.map(({ name }) => text('dc:creator', name)),
            ...(item.cover === undefined ? [] : [mediaContent(item.cover)]),
            html('description', item.html),
          ]),
        ),
      ]),
    ]),
  )
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

function asJson(page: CleanPage): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: page.title,
    description: page.description,
    language,
    home_page_url: page.homeUrl,
    feed_url: page.selfUrl,
    next_url: page.olderUrl,
    authors: [page.author],
    hubs: page.hubUrl && [{ type: 'WebSub', url: page.hubUrl }],
    items: page.items.map((item) => ({
      id: urn(item.id),
      url: item.url,
      title: item.title,
      image: item.cover?.url,
      content_html: item.html,
      content_text: item.text,
      date_published: item.publishedAt,
      date_modified: item.publishedAt,
      authors: item.authors,
    })),
  })
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
