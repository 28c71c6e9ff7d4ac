import { setImmediate } from 'node:timers/promises'
import { escapeMarkup } from '#server/platform/escape.ts'

/** What XML 1.0 cannot contain, not even escaped: most control characters, and two noncharacters. */
// oxlint-disable-next-line no-control-regex
const notInXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** The text with a replacement character for each character that XML cannot contain. */
export const forXml = (text: string): string => text.toWellFormed().replace(notInXml, '\ufffd')

/** As many characters as are escaped within a millisecond or two. */
const sliceLength = 20_000

/** Spaces that HTML does not show: at the beginning of a line, and after another space. */
const collapsed = /(?<=^|[ \t])[ \t]/gm

/** A space that HTML shows without a style, which readers of feeds remove: no-break, or for a tab as wide as an em. */
const wideSpace = (space: string) => (space === '\t' ? '\u2003' : '\u00a0')

/**
 * A text of a person as HTML: a blank line begins a paragraph, and a line break and an indentation stay one. To escape a megabyte takes longer
 * than the event loop may wait, so it runs other work between the paragraphs (S51).
 */
export async function asHtml(text: string): Promise<string> {
  const paragraphs: string[] = []
  let length = 0
  for (const paragraph of text.split(/\n{2,}/)) {
    if (paragraph === '') continue
    const lines = escapeMarkup(paragraph).replace(collapsed, wideSpace).replaceAll('\n', '<br>')
    paragraphs.push(`<p>${lines}</p>`)
    length += paragraph.length
    if (length < sliceLength) continue
    length = 0
    await setImmediate()
  }
  return paragraphs.join('\n')
}
