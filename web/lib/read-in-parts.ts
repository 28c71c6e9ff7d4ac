import type { Endpoint, OutputOf, SentQuery } from '#contract/endpoint.ts'
import { ask, type Sent } from './request.ts'

/** Reads a long list: yields its items as they arrive, a part of a page at a time, and then requests the next page. */
export async function* readInParts<E extends Endpoint>(
  endpoint: E,
  sent: Sent<E> = {},
): AsyncGenerator<OutputOf<E>, void> {
  for (let { query } = sent; ;) {
    const answer = await ask(endpoint, { ...sent, ...(query && { query }) })
    yield* partsOf<OutputOf<E>>(answer)
    const before = answer.headers.get('next-before')
    if (before === null) return
    query = { ...(query as object | undefined), before } as SentQuery<E>
  }
}

/** The server writes a list in lines. A part that ends with a line can be parsed. */
async function* partsOf<Items>(answer: Response): AsyncGenerator<Items, void> {
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { value = '', done } = await reader.read()
    if (done) {
      if (!text.endsWith(']')) throw new TypeError('The list broke off.')
      return yield itemsOf(text)
    }
    const end = value.lastIndexOf('\n') + 1
    if (end > 0) yield itemsOf(text + value.slice(0, end))
    text = end > 0 ? value.slice(end) : text + value
  }
}

const itemsOf = <Items>(lines: string) => {
  const items = lines.trim().replace(/^[[,]/, '').replace(/\]$/, '')
  return JSON.parse(`[${items}]`) as Items
}
