import { escapeText } from './text.ts'

/** An element around others. */
export function tag(name: string, attributes: Record<string, string> = {}, elements: string[] = []): string {
  const start = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeText(value)}"`)
  return `<${name}${start.join('')}>${elements.join('\n')}</${name}>`
}

/** An element around a text. */
export const text = (name: string, content: string, attributes: Record<string, string> = {}): string =>
  tag(name, attributes, [escapeText(content)])

/** An element around HTML, which is not escaped once more: a page of a feed may be a megabyte of it. */
export const html = (name: string, content: string, attributes: Record<string, string> = {}): string =>
  tag(name, attributes, [`<![CDATA[${content.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`])

export const document = (root: string): string => `<?xml version="1.0" encoding="utf-8"?>\n${root}\n`
