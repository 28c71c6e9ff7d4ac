import { XmlDocument, XmlElement } from 'libxml2-wasm'
import type { FeedFormat } from '#contract/syndication/paths.ts'

export interface Element {
  name: string
  attributes: Record<string, string>
  /** Without the white space around it. */
  text: string
  children: Element[]
}

/** Reads a document with a parser that refuses one that is not well-formed. */
export function parseXml(text: string): Element {
  const document = XmlDocument.fromString(text)
  try {
    return readElement(document.root)
  } finally {
    document.dispose()
  }
}

function readElement(element: XmlElement): Element {
  const children: Element[] = []
  for (let node = element.firstChild; node !== null; node = node.next)
    if (node instanceof XmlElement) children.push(readElement(node))
  return {
    name: element.prefix === '' ? element.name : `${element.prefix}:${element.name}`,
    attributes: Object.fromEntries(element.attrs.map(({ name, content }) => [name, content])),
    text: element.content.trim(),
    children,
  }
}

export const childrenOf = (element: Element, name: string): Element[] =>
  element.children.filter((child) => child.name === name)

export const textOf = (element: Element, name: string): string | undefined =>
  childrenOf(element, name)[0]?.text

/** The targets of the links of a feed or an entry in Atom, or of the Atom links in RSS, by their relation. */
export const linksOf = (element: Element): Record<string, string> =>
  Object.fromEntries(
    [...childrenOf(element, 'link'), ...childrenOf(element, 'atom:link')]
      .filter(({ attributes }) => attributes.rel !== undefined)
      .map(({ attributes }) => [attributes.rel, attributes.href]),
  )

/** The text of a person in HTML that we wrote. Fails for any other markup than paragraphs and line breaks. */
export function textOfHtml(html: string): string {
  const text = html
    .replaceAll('</p>\n<p>', '\n\n')
    .replaceAll(/^<p>|<\/p>$/g, '')
    .replaceAll('<br>', '\n')
  if (/[<>]/.test(text)) throw new Error(`There is markup in ${html.slice(0, 200)}`)
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}

/** The items of a feed, whatever its format, as ids, titles, texts and names of authors. */
export function itemsOf(format: FeedFormat, document: string): FeedItem[] {
  if (format === 'json')
    return (JSON.parse(document) as { items: JsonItem[] }).items.map(
      ({ id, url, title, content_text: text, authors }) => ({
        id,
        url,
        title,
        text,
        names: authors.map(({ name }) => name),
      }),
    )
  const root = parseXml(document)
  if (format === 'atom')
    return childrenOf(root, 'entry').map((entry) => ({
      id: textOf(entry, 'id')!,
      url: linksOf(entry).alternate!,
      title: textOf(entry, 'title')!,
      text: textOfHtml(textOf(entry, 'content')!),
      names: childrenOf(entry, 'author').map((author) => textOf(author, 'name')!),
    }))
  return childrenOf(childrenOf(root, 'channel')[0]!, 'item').map((item) => ({
    id: textOf(item, 'guid')!,
    url: textOf(item, 'link')!,
    title: textOf(item, 'title')!,
    text: textOfHtml(textOf(item, 'description')!),
    names: childrenOf(item, 'dc:creator').map((creator) => creator.text),
  }))
}

interface FeedItem {
  id: string
  url: string
  title: string
  text: string
  names: string[]
}

interface JsonItem {
  id: string
  url: string
  title: string
  content_text: string
  authors: { name: string }[]
}

/** The address of the page with older items. */
export function olderUrlOf(format: FeedFormat, document: string): string | undefined {
  if (format === 'json') return (JSON.parse(document) as { next_url?: string }).next_url
  const root = parseXml(document)
  return linksOf(format === 'atom' ? root : childrenOf(root, 'channel')[0]!)['prev-archive']
}
