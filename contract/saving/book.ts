import { paragraphs, escapeXml } from './markup.ts'
import type { BookMetadata, SavedPart, SavedText } from './saved-text.ts'

/**
 * The files of a text as an EPUB 3 book, by path and in their order. They depend neither on the time nor on the reader. The
 * first one, by which programs recognize the format, must not be compressed in the book.
 */
export function bookFiles(text: SavedText, book: BookMetadata): Record<string, string> {
  const pages = pagesOf(text, book)
  return {
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': container,
    ...book.files,
    'EPUB/package.opf': packageOf(text, book, pages),
    'EPUB/nav.xhtml': navigationOf(text, pages),
    'EPUB/style.css': style,
    ...Object.fromEntries(
      pages.map((page) => [`EPUB/${page.name}.xhtml`, document(`${page.title} – ${text.title}`, page.body)]),
    ),
  }
}

interface Page {
  name: string
  title: string
  body: string
  /** The headings in it that the table of contents lists. */
  headings?: string[]
}

function pagesOf(
  { title, introduction, note, parts, contributors }: SavedText,
  { textTitle, listsParts }: BookMetadata,
): Page[] {
  const titlePage = `<section epub:type="titlepage">
<h1 dir="auto">${escapeXml(title)}</h1>
${introduction === '' ? '' : `${paragraphs(introduction)}\n`}<p class="credit" lang="en" xml:lang="en">${escapeXml(note)}</p>
</section>`
  const textPage = `<section epub:type="bodymatter">
${parts.map((part, number) => asSection(part, listsParts ? ` id="part-${number}"` : '')).join('\n')}
</section>`
  const pages: Page[] = [
    { name: 'title', title: 'Title', body: titlePage },
    {
      name: textTitle.toLowerCase(),
      title: textTitle,
      body: textPage,
      headings: listsParts ? parts.map(({ heading }) => heading ?? '') : [],
    },
  ]
  if (contributors.length === 0) return pages
  const credits = contributors.map(
    ({ name, contribution }) => `<li><span dir="auto">${escapeXml(name)}</span>: ${contribution}</li>`,
  )
  const contributorsPage = `<section epub:type="contributors" lang="en" xml:lang="en">
<h2>Contributors</h2>
<ul>
${credits.join('\n')}
</ul>
</section>`
  return [...pages, { name: 'contributors', title: 'Contributors', body: contributorsPage }]
}

const asSection = (
  { heading, content, isContinued }: SavedPart,
  id: string,
) => `<section class="passage"${id}>
${heading === null || isContinued ? '' : `<p class="credit" dir="auto">${escapeXml(heading)}</p>\n`}${paragraphs(content)}
</section>`

const packageOf = (
  { title, introduction, contributors }: SavedText,
  { id, changedAt }: BookMetadata,
  pages: Page[],
) => `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="und">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">${escapeXml(id)}</dc:identifier>
<dc:title>${escapeXml(title)}</dc:title>
<dc:language>und</dc:language>
${introduction === '' ? '' : `<dc:description>${escapeXml(introduction)}</dc:description>\n`}<dc:date>${changedAt}</dc:date>
${contributors.map(({ name }) => `<dc:creator>${escapeXml(name)}</dc:creator>`).join('\n')}
<meta property="dcterms:modified">${changedAt.slice(0, 19)}Z</meta>
<meta property="schema:accessMode">textual</meta>
<meta property="schema:accessModeSufficient">textual</meta>
<meta property="schema:accessibilityFeature">tableOfContents</meta>
<meta property="schema:accessibilityFeature">readingOrder</meta>
<meta property="schema:accessibilityHazard">none</meta>
</metadata>
<manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="style" href="style.css" media-type="text/css"/>
${pages.map(({ name }) => `<item id="${name}" href="${name}.xhtml" media-type="application/xhtml+xml"/>`).join('\n')}
</manifest>
<spine>
${pages.map(({ name }) => `<itemref idref="${name}"/>`).join('\n')}
</spine>
</package>
`

const navigationOf = ({ title }: SavedText, pages: Page[]) =>
  document(
    title,
    `<nav epub:type="toc" role="doc-toc" lang="en" xml:lang="en">
<h1>Contents</h1>
<ol>
${pages.map(asEntry).join('\n')}
</ol>
</nav>`,
  )

const asEntry = ({ name, title, headings = [] }: Page) => {
  const parts = headings.map(
    (heading, number) => `<li><a href="${name}.xhtml#part-${number}">${escapeXml(heading)}</a></li>`,
  )
  return `<li><a href="${name}.xhtml">${title}</a>${parts.length === 0 ? '' : `\n<ol>\n${parts.join('\n')}\n</ol>\n`}</li>`
}

const document = (title: string, body: string) => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="und" xml:lang="und">
<head>
<title>${escapeXml(title)}</title>
<link rel="stylesheet" href="style.css"/>
</head>
<body>
${body}
</body>
</html>
`

const container = `<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles>
<rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/>
</rootfiles>
</container>
`

const style = `body { line-height: 1.5; margin: 1em; }
h1, h2 { line-height: 1.2; text-align: center; }
p { margin: 0 0 1em; min-height: 1em; white-space: pre-wrap; }
.passage { margin: 0 0 2em; }
.credit { break-after: avoid; font-size: 0.8em; font-style: italic; margin: 0 0 0.5em; }
`
