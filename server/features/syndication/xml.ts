import { escapeMarkup } from '#server/platform/escape.ts'

/** An element around others. */
export function tag(name: string, attributes: Record<string, string> = {}, elements: string[] = []): string {
  const start = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeMarkup(value)}"`)
  return `<${name}${start.join('')}>${elements.join('\n')}</${name}>`
}

/** An element around a text. */
export const text = (name: string, content: string, attributes: Record<string, string> = {}): string =>
  tag(name, attributes, [escapeMarkup(content)])

/** An element around HTML in a CDATA section: to escape the HTML of a page, up to a megabyte, would take too long. */
export const html = (name: string, content: string, attributes: Record<string, string> = {}): string =>
  tag(name, attributes, [`<![CDATA[${content.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`])

export const document = (root: string): string => `<?xml version="1.0" encoding="utf-8"?>\n${root}\n`
