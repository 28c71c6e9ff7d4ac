import { strToU8, type Zippable, zipSync } from 'fflate'
import { contributionOf, nothingWritten, type Story } from './story.ts'

/**
 * A story as an EPUB 3 book. The file depends neither on the time nor on the reader: the same story has the same bytes.
 */
export function asEpub(story: Story): Uint8Array<ArrayBuffer> {
  const pages = pagesOf(story)
  const texts = {
    'META-INF/container.xml': container,
    'EPUB/package.opf': packageOf(story, pages),
    'EPUB/nav.xhtml': navigationOf(story, pages),
    'EPUB/style.css': style,
    ...Object.fromEntries(
      pages.map((page) => [`EPUB/${page.name}.xhtml`, document(`${page.title} – ${story.title}`, page.body)]),
    ),
  }
  const files: Zippable = {
    // Programs recognize the format by this file. It must be the first one, and not compressed.
    mimetype: [strToU8('application/epub+zip'), { level: 0 }],
    ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, strToU8(text)])),
  }
  // A zip keeps times of the local clock, without a zone.
  return zipSync(files, { mtime: new Date(1980, 0, 1) })
}

interface Page {
  name: string
  title: string
  body: string
}

function pagesOf({ title, description, endedOn, passages, contributors }: Story): Page[] {
  const credits = contributors.map(
    (each) => `<li><span dir="auto">${xml(each.name)}</span>: ${contributionOf(each)}</li>`,
  )
  const titlePage = `<section epub:type="titlepage">
<h1 dir="auto">${xml(title)}</h1>
${paragraphs(description)}
<p class="credit" lang="en" xml:lang="en">${endedOn}</p>
</section>`
  const story = `<section epub:type="bodymatter">
${passages.length === 0 ? `<p lang="en" xml:lang="en">${nothingWritten}</p>` : passages.map(asSection).join('\n')}
</section>`
  const contributorsPage = `<section epub:type="contributors" lang="en" xml:lang="en">
<h2>Contributors</h2>
<ul>
${credits.join('\n')}
</ul>
</section>`
  return [
    { name: 'title', title: 'Title', body: titlePage },
    { name: 'story', title: 'Story', body: story },
    ...(credits.length === 0
      ? []
      : [{ name: 'contributors', title: 'Contributors', body: contributorsPage }]),
  ]
}

const asSection = ({ author, content }: Story['passages'][number]) => `<section class="passage">
<p class="credit" dir="auto">${xml(author)}</p>
${paragraphs(content)}
</section>`

/** A paragraph for each stanza, with its line breaks. */
const paragraphs = (text: string) =>
  text
    .split('\n\n')
    .map((stanza) => `<p dir="auto">${xml(stanza).replaceAll('\n', '<br/>')}</p>`)
    .join('\n')

const packageOf = (
  { id, title, description, endedAt, contributors }: Story,
  pages: Page[],
) => `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="und">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">urn:uuid:${id}</dc:identifier>
<dc:title>${xml(title)}</dc:title>
<dc:language>und</dc:language>
<dc:description>${xml(description)}</dc:description>
<dc:date>${endedAt}</dc:date>
${contributors.map(({ name }) => `<dc:creator>${xml(name)}</dc:creator>`).join('\n')}
<meta property="dcterms:modified">${endedAt.slice(0, 19)}Z</meta>
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

const navigationOf = ({ title }: Story, pages: Page[]) =>
  document(
    title,
    `<nav epub:type="toc" role="doc-toc" lang="en" xml:lang="en">
<h1>Contents</h1>
<ol>
${pages.map((page) => `<li><a href="${page.name}.xhtml">${page.title}</a></li>`).join('\n')}
</ol>
</nav>`,
  )

const document = (title: string, body: string) => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="und" xml:lang="und">
<head>
<title>${xml(title)}</title>
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

/** Escapes text for XML. Characters that XML does not allow become U+FFFD. A parser would read a bare carriage return as a line end. */
const xml = (text: string) =>
  text
    .replace(/[&<>"\r]/g, (mark) => `&#${mark.charCodeAt(0)};`)
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
