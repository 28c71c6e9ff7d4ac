import { setImmediate } from 'node:timers/promises'
import { escapeMarkup } from './platform/escape.ts'

/** What a page says of itself to tabs, search engines and link previews. */
export interface PageHead {
  /** The name of the page, or of its text. */
  title: string
  description: string
  /** The canonical address of a public page. Without one, search engines are asked not to list the page. */
  address?: string
  /** The absolute address of the preview picture. */
  picture?: string | undefined
  /** The address of the next page of a list. */
  next?: string | undefined
  /** Feeds with the texts of this page. */
  feeds: readonly { title: string; type: string; address: string }[]
  of: Website | Article | Profile
}

interface Website {
  type: 'website'
}
interface Article {
  type: 'article'
  publishedAt: string
  /** When the text last changed; left out while it is the first one. */
  editedAt?: string | null
  authors: readonly { name: string; address?: string | undefined }[]
}
interface Profile {
  type: 'profile'
  name: string
}

/** The tags for the head of a page. All texts are written by people and are escaped. */
export function headTags(head: PageHead, siteName: string): string {
  const { title, description, address, picture, next, feeds, of } = head
  const pageTitle = title === 'Z!mmer' ? title : `${title} · Z!mmer`
  const shared = title === 'Z!mmer' ? siteName : title
  return [
    `<title>${escape(pageTitle)}</title>`,
    meta('name', 'description', description),
    address === undefined ? meta('name', 'robots', 'noindex') : link('canonical', address),
    ...(next === undefined ? [] : [link('next', next)]),
    ...feeds.map((feed) => link('alternate', feed.address, { type: feed.type, title: feed.title })),
    meta('property', 'og:site_name', siteName),
    meta('property', 'og:type', of.type),
    meta('property', 'og:title', shared),
    meta('property', 'og:description', description),
    ...(address === undefined ? [] : [meta('property', 'og:url', address)]),
    meta('name', 'twitter:card', picture === undefined ? 'summary' : 'summary_large_image'),
    meta('name', 'twitter:title', shared),
    meta('name', 'twitter:description', description),
    ...(picture === undefined ? [] : pictureTags(picture)),
    ...(of.type === 'article' ? articleTags(of) : []),
    ...(of.type === 'website' ? [] : [structuredData(head)]),
  ].join('')
}

const pictureTags = (picture: string) => [
  meta('property', 'og:image', picture),
  meta('property', 'og:image:width', '1200'),
  meta('property', 'og:image:height', '630'),
  meta('name', 'twitter:image', picture),
]

const articleTags = ({ publishedAt, editedAt, authors }: Article) => [
  meta('property', 'article:published_time', publishedAt),
  ...(editedAt ? [meta('property', 'article:modified_time', editedAt)] : []),
  ...authors.flatMap(({ address }) =>
    address === undefined ? [] : meta('property', 'article:author', address),
  ),
]

/** The same facts as JSON-LD, in the vocabulary of schema.org. */
function structuredData({ title, description, address, picture, of }: PageHead): string {
  const person = (name: string, url: string | undefined) => ({ '@type': 'Person', name, ...(url && { url }) })
  const data =
    of.type === 'article'
      ? {
          '@type': 'Article',
          headline: title,
          description,
          datePublished: of.publishedAt,
          ...(of.editedAt && { dateModified: of.editedAt }),
          ...(of.authors.length > 0 && {
            author: of.authors.map((author) => person(author.name, author.address)),
          }),
        }
      : { '@type': 'ProfilePage', mainEntity: { ...person((of as Profile).name, address), description } }
  const json = JSON.stringify({
    '@context': 'https://schema.org',
    ...data,
    url: address,
    ...(picture && { image: picture }),
  })
  return `<script type="application/ld+json">${inScript(json)}</script>`
}

const meta = (kind: 'name' | 'property', name: string, content: string) =>
  `<meta ${kind}="${name}" content="${escape(content)}" />`

const link = (rel: string, href: string, rest: Record<string, string> = {}) =>
  `<link rel="${rel}" href="${escape(href)}"${Object.entries(rest)
    .map(([name, value]) => ` ${name}="${escape(value)}"`)
    .join('')} />`

/** JSON inside a script element, which the text `</script>` would end. */
const inScript = (json: string): string => json.replace(/</g, '\\u003c')

/** As many characters as take some milliseconds. */
const sliceLength = 64 * 1024

/** The bytes of the same, made in slices, so that the event loop runs other work between them (S51). */
export async function slicesInScript(json: string): Promise<Buffer[]> {
  const slices: Buffer[] = []
  for (let start = 0; start < json.length;) {
    const cut = start + sliceLength
    // A slice does not end between the two halves of an emoji.
    const end = /[\ud800-\udbff]/.test(json.charAt(cut - 1)) ? cut + 1 : cut
    slices.push(Buffer.from(inScript(json.slice(start, end))))
    start = end
    await setImmediate()
  }
  return slices
}

const escape = (text: string) => escapeMarkup(text.toWellFormed())
