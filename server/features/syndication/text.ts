import { escapeMarkup } from '#server/platform/escape.ts'

/** What XML 1.0 cannot contain, not even escaped: most control characters, and two noncharacters. */
// oxlint-disable-next-line no-control-regex
const notInXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** The text with a replacement character for each character that XML cannot contain. */
export const forXml = (text: string): string => text.toWellFormed().replace(notInXml, '\ufffd')

/**
 * Slices of 16,384 code units, which are written within a few milliseconds. A slice ends before a character that does not
 * depend on the one before it: not within a pair of surrogates, a run of line ends, or between a letter and a space.
 */
const slices = /[^]{1,16384}(?:\n+|(?<=[ \t\n])|(?![ \t\n\udc00-\udfff]))/g

/** The text in slices that a format can contain. */
export function* slicesOf(text: string): Generator<string> {
  for (const [slice] of text.toWellFormed().matchAll(slices)) yield forXml(slice)
}

/** Spaces that HTML does not show: at the beginning of a line, and after another space. */
const collapsed = /(?<=^|[ \t])[ \t]/gm

/** A space that HTML shows without a style, which readers of feeds remove: no-break, or for a tab as wide as an em. */
const wideSpace = (space: string) => (space === '\t' ? '\u2003' : '\u00a0')

/** Blank lines at both ends of a text, which are no paragraphs. */
const outerBlankLines = /^\n{2,}|(?<!\n)\n{2,}$/g

/** A text of a person as HTML, in slices: a blank line begins a paragraph, and a line break and an indentation stay one. */
export function* asHtml(text: string): Generator<string> {
  const paragraphs = text.replace(outerBlankLines, '')
  if (paragraphs === '') return
  yield '<p>'
  for (const slice of slicesOf(paragraphs))
    yield escapeMarkup(slice)
      .replace(collapsed, wideSpace)
      .replace(/\n+/g, (ends) => (ends === '\n' ? '<br>' : '</p>\n<p>'))
  yield '</p>'
}
