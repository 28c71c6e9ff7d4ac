import { Parser } from 'htmlparser2'
import type { ImportedEntry } from '../entry.ts'
import { decodePieces } from './decode.ts'
import type { Findings } from './findings.ts'
import { readHtml } from './html.ts'
import { instantOf, instantText } from './local-time.ts'
import { ImportRefused, tagsReadMax } from './refused.ts'
import type { SourceFile } from './source.ts'

/**
 * WordPress eXtended RSS. Posts become drafts, pages and other texts documents. An `<item>` counts once, and each picture in
 * its text once. Real files break the rules of XML (control characters, a bare `&`, no end), so a lenient parser reads them;
 * it expands no entities of the file. `onKnown` is called when the file is WXR: RSS with the names of WordPress.
 */
export async function readWordPress(
  file: SourceFile,
  findings: Findings,
  onKnown: () => void,
): Promise<void> {
  const reader = new ItemReader()
  let count = 0
  for await (const piece of decodePieces(file.pieces())) {
    const items = reader.read(piece)
    if (reader.isWxr) onKnown()
    for (const item of items) {
      const place = `${file.path}, item ${++count}`
      findings.attempt(place, () => addItem(item, place, findings))
    }
  }
  if (reader.isInsideItem())
    findings.notUnderstand(`${file.path}, item ${count + 1}`, 'The file was cut in this item.')
}

interface Item {
  /** The texts of the elements of an item, such as `wp:post_date`. */
  texts: Map<string, string>
  categories: string[]
  tags: string[]
  comments: number
}

/** Texts of a person. Every other type is a part of the site. */
const partsOfSite = new Set(
  'attachment revision nav_menu_item custom_css customize_changeset oembed_cache user_request wp_block wp_template wp_template_part wp_global_styles wp_navigation wp_font_family wp_font_face'.split(
    ' ',
  ),
)

function addItem({ texts, categories, tags, comments }: Item, place: string, findings: Findings): void {
  const textOf = (name: string) => texts.get(name)?.trim() ?? ''
  const type = textOf('wp:post_type') || 'post'
  const title = readHtml(textOf('title')).text
  if (comments > 0) findings.leaveOut('comments', place, comments)
  if (type === 'attachment')
    findings.skipAttachment(place, textOf('wp:attachment_url') || title || 'without a name')
  else if (partsOfSite.has(type)) findings.skip(place, `This is a part of the site and no text: ${type}`)
  else if (textOf('wp:status') === 'trash') findings.skip(place, 'This text was in the trash.')
  else {
    const { text, attachments } = readContent(texts.get('content:encoded') ?? '')
    for (const name of attachments) findings.skipAttachment(place, name)
    const createdAt = dateOf(textOf)
    const [category = null, ...more] = categories
    const entry: ImportedEntry =
      type === 'post'
        ? { kind: 'draft', title, text, createdAt, category, tags: [...more, ...tags], place }
        : { kind: 'document', source: `WordPress ${type}`, title, text, createdAt, place }
    findings.addForeign(entry)
  }
}

/** Drafts have `0000-00-00 00:00:00` in UTC, and then often the time of the writer. */
function dateOf(textOf: (name: string) => string): string | null {
  const isNone = (date: string) => date.startsWith('0000')
  const date = ['wp:post_date_gmt', 'wp:post_date']
    .map(textOf)
    .find((each) => !isNone(each) && instantOf(each))
  return instantText(date)
}

/** The block editor writes paragraphs; the older one only line breaks. Both write shortcodes. */
function readContent(content: string) {
  const isHtml = content.includes('<!-- wp:') || /<(?:p|div)[\s>]/i.test(content)
  return readHtml(withoutShortcodes(content), { keepsLines: !isHtml })
}

/** Shortcodes of WordPress itself. Other words in brackets may be text. */
const withoutShortcodes = (content: string) =>
  content.replace(/\[\/?(?:audio|caption|embed|gallery|playlist|video|wp_caption)(?:\s[^[\]]*)?\]/g, '')

/** Reads the items of a file piece by piece. */
class ItemReader {
  readonly #parser: Parser
  isWxr = false
  #done: Item[] = []
  #item: Item | undefined
  #depth = 0
  /** The element that was opened last: only an element without others in it has a text. */
  #name = ''
  #domain: string | undefined
  #text = ''

  constructor() {
    this.#parser = new Parser(
      {
        onopentag: (name, attributes) => {
          if (++this.#depth > 100) throw new ImportRefused('This XML file is nested too deeply.')
          if (name === 'rss') this.isWxr = attributes['xmlns:wp']?.includes('wordpress.org/export/') === true
          if (name === 'item' && this.isWxr)
            this.#item = { texts: new Map(), categories: [], tags: [], comments: 0 }
          this.#name = name
          this.#domain = attributes['domain']
          this.#text = ''
        },
        ontext: (text) => {
          if (this.#item) this.#text += text
        },
        onclosetag: (name) => {
          this.#depth--
          if (this.#item) this.#close(name, this.#item)
          this.#name = ''
        },
      },
      { xmlMode: true },
    )
  }

  /** The items that end in this piece. */
  read(piece: string): Item[] {
    this.#done = []
    this.#parser.write(piece)
    return this.#done
  }

  isInsideItem = () => this.#item !== undefined

  #close(name: string, item: Item) {
    if (name === 'item') {
      this.#done.push(item)
      this.#item = undefined
    } else if (name === 'wp:comment') item.comments++
    else if (name !== this.#name) return
    else if (name === 'category') addCategory(item, this.#domain, this.#text.trim())
    else if (wanted.has(name)) item.texts.set(name, this.#text)
  }
}

const wanted = new Set([
  'title',
  'content:encoded',
  'wp:attachment_url',
  'wp:post_date',
  'wp:post_date_gmt',
  'wp:post_type',
  'wp:status',
])

function addCategory({ categories, tags }: Item, domain: string | undefined, name: string) {
  if (tags.length + categories.length === tagsReadMax) return
  if (domain === 'post_tag') tags.push(name)
  // Every post without a category has this one.
  if (domain === 'category' && name !== 'Uncategorized') categories.push(name)
}
