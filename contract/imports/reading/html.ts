import { Parser } from 'htmlparser2'
import { addressBehind, addressOf } from './links.ts'
import { NotUnderstood, textMaxBytes, textMaxMiB } from './refused.ts'
import { quoteMark, TextWriter } from './text-writer.ts'

type Attributes = Readonly<Record<string, string>>

interface Options {
  /** A line break of the HTML is one of the text, as in the older editor of WordPress. */
  keepsLines?: boolean
  /** The part of the text that an element begins. Undefined: the element belongs to the part around it. */
  partOf?: (name: string, attributes: Attributes) => string | undefined
}

interface HtmlText {
  /** The text outside all other parts. */
  text: string
  parts: Map<string, string>
  /** Addresses of pictures, recordings and videos, in their order. */
  attachments: string[]
}

const depthMax = 1000

const hidden = new Set(['noscript', 'script', 'style', 'template', 'title'])
const paragraphs = new Set(
  'address article aside blockquote details div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr main nav p pre section summary table'.split(
    ' ',
  ),
)
const lines = new Set(['dd', 'dt', 'li', 'tr'])
const attachmentTags = new Set(['audio', 'embed', 'iframe', 'img', 'object', 'source', 'video'])

/** The text of an HTML document, with its paragraphs, line breaks, lists and quotes. A link is its text and its address. */
export function readHtml(
  html: string,
  { keepsLines = false, partOf = () => undefined }: Options = {},
): HtmlText {
  if (html.length > textMaxBytes) throw new NotUnderstood(`This text has more than ${textMaxMiB} MiB.`)
  const main = new TextWriter()
  const writers = new Map<string, TextWriter>()
  const attachments = new Set<string>()
  const open: Element[] = []
  let link: { address: string; text: string } | undefined
  let writer = main

  const parser = new Parser({
    onopentag(name, attributes) {
      if (open.length === depthMax) throw new NotUnderstood('This HTML is nested too deeply.')
      const parent = open.at(-1)
      const part = partOf(name, attributes)
      if (part !== undefined && !writers.has(part)) writers.set(part, new TextWriter())
      const element: Element = {
        writer: part === undefined ? writer : writers.get(part)!,
        isHidden: parent?.isHidden || hidden.has(name),
        isPre: parent?.isPre || name === 'pre',
        list: name === 'ol' ? { next: 1 } : name === 'ul' ? {} : parent?.list,
        hasLevel: name === 'blockquote' || name === 'li',
      }
      open.push(element)
      ;({ writer } = element)
      if (element.isHidden) return
      if (paragraphs.has(name) || (isList(name) && parent?.list === undefined)) writer.endParagraph()
      else if (lines.has(name) || isList(name)) writer.endLine()
      if (name === 'blockquote') writer.openLevel(quoteMark)
      if (name === 'li') writer.openLevel(markOf(parent?.list))
      if (name === 'br') writer.breakLine()
      if (name === 'hr') writer.addCollapsed('* * *')
      if (name === 'a') link = { address: addressOf(attributes['href'] ?? ''), text: '' }
      const source = attachmentTags.has(name) ? (attributes['src'] ?? attributes['data']) : undefined
      if (source) attachments.add(source)
    },
    ontext(text) {
      const element = open.at(-1)
      if (element?.isHidden) return
      if (element?.isPre || keepsLines) writer.addLines(text)
      else writer.addCollapsed(text)
      if (link) link.text += text
    },
    onclosetag(name) {
      const element = open.pop()
      if (!element) return
      if (!element.isHidden) {
        if (name === 'a' && link) {
          writer.addCollapsed(addressBehind(link.text, link.address))
          link = undefined
        }
        if (element.hasLevel) writer.closeLevel()
        if (paragraphs.has(name) || (isList(name) && open.at(-1)?.list === undefined)) writer.endParagraph()
        else if (lines.has(name)) writer.endLine()
        else if (name === 'td' || name === 'th') writer.addCollapsed(' ')
      }
      writer = open.at(-1)?.writer ?? main
    },
  })
  parser.end(html)
  const parts = new Map(Array.from(writers, ([name, each]) => [name, each.result()]))
  return { text: main.result(), parts, attachments: [...attachments] }
}

interface Element {
  writer: TextWriter
  isHidden: boolean | undefined
  isPre: boolean | undefined
  /** The list around the element, with the number of the next item. */
  list: { next?: number } | undefined
  hasLevel: boolean
}

const isList = (name: string) => name === 'ol' || name === 'ul'

const markOf = (list: Element['list']) => (list?.next === undefined ? '- ' : `${list.next++}. `)

export const hasClass = ({ class: classes = '' }: Attributes, name: string): boolean =>
  classes.split(/\s+/, 20).includes(name)
