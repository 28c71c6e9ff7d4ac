/** Escapes text for XML and HTML. Characters that XML does not allow become U+FFFD. A parser would read a bare carriage return as a line end. */
export const escapeXml = (text: string): string =>
  text
    .replace(/[&<>"\r]/g, (mark) => `&#${mark.charCodeAt(0)};`)
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')

/** A paragraph for each stanza, with its line breaks. */
export const paragraphs = (text: string): string =>
  text
    .split('\n\n')
    .map((stanza) => `<p dir="auto">${escapeXml(stanza).replaceAll('\n', '<br/>')}</p>`)
    .join('\n')
