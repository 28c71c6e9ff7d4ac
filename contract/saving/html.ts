import { paragraphs, escapeXml } from './markup.ts'
import type { SavedPart, SavedText } from './saved-text.ts'

/** A text as a page of one file. It needs no network, has no script, and lets a browser run none and load nothing. */
export const asHtml = ({
  title,
  introduction,
  note,
  parts,
  contributors,
}: SavedText): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeXml(title)}</title>
<style>
${style}</style>
</head>
<body>
<header>
<h1 dir="auto">${escapeXml(title)}</h1>
${introduction === '' ? '' : `<div class="introduction">\n${paragraphs(introduction)}\n</div>\n`}<p class="note" dir="auto">${escapeXml(note)}</p>
</header>
<main>
${parts.map(asSection).join('\n')}
</main>
${contributors.length === 0 ? '' : asList(contributors)}</body>
</html>
`

const asSection = ({ heading, content, isContinued }: SavedPart) => `<section>
${heading === null || isContinued ? '' : `<h2 dir="auto">${escapeXml(heading)}</h2>\n`}${paragraphs(content)}
</section>`

const asList = (contributors: SavedText['contributors']) => `<footer>
<h2>Contributors</h2>
<ul>
${contributors.map(({ name, contribution }) => `<li><bdi>${escapeXml(name)}</bdi>: ${contribution}</li>`).join('\n')}
</ul>
</footer>
`

const style = `:root { color-scheme: light dark; --paper: #fbf7f0; --ink: #211c15; --soft: #5c5347; --line: #e6ddcf; }
@media (prefers-color-scheme: dark) { :root { --paper: #15120e; --ink: #efe7da; --soft: #b5a995; --line: #35302a; } }
body { background: var(--paper); color: var(--ink); font: 1.125rem/1.7 Literata, Georgia, serif; margin: 0 auto; max-width: 38rem; overflow-wrap: anywhere; padding: 3rem 1.25rem; }
header { border-bottom: 1px solid var(--line); margin-bottom: 2rem; padding-bottom: 1rem; }
h1 { font-size: 1.75rem; line-height: 1.25; margin: 0 0 0.5rem; }
h2 { color: var(--soft); font: 600 0.875rem/1.45 system-ui, sans-serif; margin: 2rem 0 0.5rem; }
p { margin: 0 0 1em; min-height: 1em; unicode-bidi: plaintext; white-space: pre-wrap; }
.introduction { color: var(--soft); font-style: italic; }
.note, footer ul { color: var(--soft); font: 0.875rem/1.45 system-ui, sans-serif; }
.note { margin: 0; }
footer { border-top: 1px solid var(--line); margin-top: 2rem; }
footer ul { list-style: none; margin: 0; padding: 0; }
@media print {
:root { --paper: #fff; --ink: #000; --soft: #444; --line: #999; }
body { font-size: 11pt; line-height: 1.5; max-width: none; padding: 0; }
h1, h2 { break-after: avoid; }
p { orphans: 2; widows: 2; }
}
`
