import { beginningOf } from '#contract/beginning.ts'
import type { PageData } from './page-data.ts'

/**
 * The most that the server renders of one page, in characters of HTML (S58). A page of this cost takes about 0.3 s. Each
 * article is below it, and a story with 50,000 lines.
 */
export const renderingMaxCost = 4 * 1024 * 1024

/** More than the HTML of a page without texts. */
const frameCost = 64 * 1024
/** More than the HTML of a card or of an answer without its texts. */
const objectCost = 4096
/** More than the HTML around a passage. */
const passageCost = 400
/** More than the HTML around a line: its element, its hidden break, and its part of a paragraph. */
const lineCost = 80
/** Letters of scripts without spaces: the words of a story are counted with a dictionary, which takes this many times as long. */
const dictionaryCost = 8

/**
 * What it costs to render a page, in characters of HTML: never less than the length of its HTML. The counting stops above
 * `max`.
 */
export function renderingCost({ title, answers, lists, story }: PageData, max = renderingMaxCost): number {
  let cost = frameCost

  function addText(text: string, costOfLine = 1) {
    for (let i = 0; i < text.length && cost <= max; i++) cost += costOf(text.charCodeAt(i), costOfLine)
  }
  /** A list shows the beginning of a content. The page looks for its category in all of it. */
  function addBeginning(content: string) {
    addText(beginningOf(content), lineCost)
    cost += content.length
  }
  const addWhole = (content: string) => addText(content, lineCost)

  function add(value: unknown, addContent: (content: string) => void) {
    if (cost > max) return
    if (typeof value === 'string') return addText(value)
    if (Array.isArray(value)) return value.forEach((part) => add(part, addContent))
    if (typeof value !== 'object' || value === null) return
    cost += objectCost
    for (const [key, part] of Object.entries(value)) {
      if (key === 'content' && typeof part === 'string') addContent(part)
      // The passages of a story in a list have no elements for their lines.
      else add(part, key === 'passages' ? addText : addContent)
    }
  }

  addText(title)
  for (const answer of Object.values(answers)) add(answer, Array.isArray(answer) ? addBeginning : addWhole)
  for (const { items } of Object.values(lists)) add(items, addBeginning)
  for (const { content } of story?.passages ?? []) {
    cost += passageCost
    addWhole(content)
    if (cost > max) break
  }
  return cost
}

function costOf(code: number, costOfLine: number): number {
  if (code === 10) return costOfLine
  if (code < 0x40) return escapes[code] ?? 1
  // From Thai to the last ideograph, the halves of rarer ideographs, and halfwidth katakana. The others are alphabets and Hangul.
  const hasDictionary =
    (code >= 0x0e00 && code < 0xa000) ||
    (code >= 0xd800 && code < 0xe000) ||
    (code >= 0xff65 && code < 0xffa0)
  return hasDictionary ? dictionaryCost : 1
}

/** The lengths of `&quot;`, `&amp;`, `&#x27;`, `&lt;` and `&gt;` by the codes of their signs. */
const escapes: Record<number, number> = { 34: 6, 38: 5, 39: 6, 60: 4, 62: 4 }
