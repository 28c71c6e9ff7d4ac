import { boundedJson } from './json-scanner.ts'
import { addressBehind, addressOf } from './links.ts'
import { fieldsOf, listOf, textOf } from './values.ts'

/**
 * The `richText` of an entry of Day One: JSON in a text, `{"contents": [{"text", "attributes"}, {"embeddedObjects"}]}`, as
 * `docs/entry-body-format.md` of the Day One CLI describes it. Attributes of a line stand at each of its pieces. Undefined: it
 * holds no text, as `{}`.
 */
export function richText(json: string): { text: string; attachments: string[] } | undefined {
  const contents = listOf(fieldsOf(boundedJson(json))['contents'])
  const attachments: string[] = []
  let text = ''
  let isLineStart = true
  for (const piece of contents.map(fieldsOf)) {
    for (const object of listOf(piece['embeddedObjects']).map(fieldsOf)) {
      const block = blockOf(object)
      if (block !== undefined) {
        if (!isLineStart) startNextLine()
        text += block
        startNextLine()
      } else if (textOf(object['identifier'])) attachments.push(textOf(object['identifier']))
    }
    const attributes = fieldsOf(piece['attributes'])
    const lines = withLink(textOf(piece['text']), textOf(attributes['linkURL'])).split('\n')
    for (const [index, line] of lines.entries()) {
      if (index > 0) startNextLine()
      if (line === '') continue
      text += isLineStart ? markOf(fieldsOf(attributes['line'])) + line : line
      isLineStart = false
    }
  }
  return text.trim() === '' ? undefined : { text: text.trim(), attachments }

  function startNextLine() {
    text += '\n'
    isLineStart = true
  }
}

/** An embedded object that is text. Undefined: it is a picture, a recording or another file. */
function blockOf({ type, markdown, contents }: Record<string, unknown>): string | undefined {
  if (type === 'horizontalRuleLine' || type === 'horizontalLineRule') return '* * *'
  if (type === 'table') return textOf(markdown)
  if (type === 'renderableCodeBlock') return textOf(contents)
  return undefined
}

/** The address stands behind the words of a link and before the line break. */
function withLink(text: string, href: string): string {
  const words = text.trimEnd()
  return words + addressBehind(words, addressOf(href)) + text.slice(words.length)
}

function markOf({ listStyle, listIndex, indentLevel, checked, quote }: Record<string, unknown>): string {
  const indent = '  '.repeat(Math.min(5, Math.max(0, Math.floor(Number(indentLevel) || 0))))
  if (listStyle === 'bulleted') return `${indent}- `
  if (listStyle === 'numbered') return `${indent}${Math.floor(Number(listIndex)) || 1}. `
  if (listStyle === 'checkbox') return `${indent}- [${checked === true ? 'x' : ' '}] `
  return quote === true ? '> ' : ''
}
