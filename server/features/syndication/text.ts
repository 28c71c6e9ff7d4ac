/** What XML 1.0 cannot contain, not even escaped: most control characters, and two noncharacters. */
// oxlint-disable-next-line no-control-regex
const notInXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** The text with a replacement character for each character that XML cannot contain, such as half of an emoji. */
export const forXml = (text: string): string => text.toWellFormed().replace(notInXml, '\ufffd')

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
export const escapeText = (text: string): string => text.replace(/[&<>"]/g, (sign) => escapes[sign]!)

/** A text of a person as HTML: a blank line begins a paragraph, and lines stay lines. */
export const asHtml = (text: string): string =>
  text
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => `<p>${escapeText(paragraph).replaceAll('\n', '<br>')}</p>`)
    .join('\n')
