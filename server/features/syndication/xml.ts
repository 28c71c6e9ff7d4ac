import { escapeMarkup } from '#server/platform/escape.ts'

/** The start of an element. */
export function open(name: string, attributes: Record<string, string> = {}): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeMarkup(value)}"`)
  return `<${name}${written.join('')}>`
}

/** An element around others. */
export const tag = (name: string, attributes: Record<string, string> = {}, elements: string[] = []): string =>
  `${open(name, attributes)}${elements.join('\n')}</${name}>`

/** An element around a text. */
export const text = (name: string, content: string, attributes: Record<string, string> = {}): string =>
  tag(name, attributes, [escapeMarkup(content)])

export const declaration = '<?xml version="1.0" encoding="utf-8"?>\n'
