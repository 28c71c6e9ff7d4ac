import { setImmediate } from 'node:timers/promises'

/** What XML 1.0 cannot contain, not even escaped: most control characters, and two noncharacters. */
// oxlint-disable-next-line no-control-regex
const notInXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** The text with a replacement character for each character that XML cannot contain, such as half of an emoji. */
export const forXml = (text: string): string => text.toWellFormed().replace(notInXml, '\ufffd')

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
export const escapeText = (text: string): string => text.replace(/[&<>"]/g, (sign) => escapes[sign]!)

/** So many characters are escaped within a millisecond or two. */
const sliceLength = 20_000

/**
 * A text of a person as HTML: a blank line begins a paragraph, and lines stay lines. A text may be a megabyte of signs to
 * escape, so other work of the event loop comes between its paragraphs (S51).
 */
export async function asHtml(text: string): Promise<string> {
  const paragraphs: string[] = []
  let length = 0
  for (const paragraph of text.split(/\n{2,}/)) {
    if (paragraph === '') continue
    paragraphs.push(`<p>${escapeText(paragraph).replaceAll('\n', '<br>')}</p>`)
    length += paragraph.length
    if (length < sliceLength) continue
    length = 0
    await setImmediate()
  }
  return paragraphs.join('\n')
}
