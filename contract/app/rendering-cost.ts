import { beginningOf } from '#contract/beginning.ts'
import type { PageData } from './page-data.ts'

/**
 * The highest cost of a page that the server renders (S58). A page of this cost takes about 0.3 s. Every article costs less,
 * and so does a story of 50,000 lines.
 */
export const renderingMaxCost = 4 * 1024 * 1024

// Each of these is more than the characters of HTML that it stands for.
/** A page without texts. */
const frameCost = 64 * 1024
/** A card, or another object of an answer, without its texts. */
const objectCost = 4096
/** What is around a passage. */
const passageCost = 400
/** What is around a line: its element, its hidden line break, and its part of a paragraph. */
const lineCost = 80
/**
 * A character of a script without spaces. The page counts the words of a story, and finds those of such a script with a
 * dictionary, which takes as long as to render eight characters.
 */
const dictionaryCost = 8

/**
 * The cost of rendering a page, in characters of HTML: never less than the length of its HTML. The count stops soon above
 * `renderingMaxCost`.
 */
export function renderingCost({ title, answers, lists, story }: PageData): number {
  let cost = frameCost

  function addText(text: string, costOfLine = 1) {
    for (let i = 0; i < text.length && cost <= renderingMaxCost; i++)
      cost += costOf(text.charCodeAt(i), costOfLine)
  }
  /** A list shows the beginning of a content. The page reads the whole content once, to find its category. */
  function addBeginning(content: string) {
    addText(beginningOf(content), lineCost)
    cost += content.length
  }
  const addWhole = (content: string) => addText(content, lineCost)

  function add(value: unknown, addContent: (content: string) => void) {
    if (cost > renderingMaxCost) return
    if (typeof value === 'string') return addText(value)
    if (Array.isArray(value)) return value.forEach((part) => add(part, addContent))
    if (typeof value !== 'object' || value === null) return
    cost += objectCost
    for (const [key, part] of Object.entries(value)) {
      if (key === 'content' && typeof part === 'string') addContent(part)
      // In a list the passages of a story are shown without elements for their lines.
      else add(part, key === 'passages' ? addText : addContent)
    }
  }

  addText(title)
  for (const answer of Object.values(answers)) add(answer, Array.isArray(answer) ? addBeginning : addWhole)
  for (const { items } of Object.values(lists)) add(items, addBeginning)
  for (const { content } of story?.passages ?? []) {
    cost += passageCost
    addWhole(content)
    if (cost > renderingMaxCost) break
  }
  return cost
}

function costOf(code: number, costOfLine: number): number {
  if (code === 10) return costOfLine
  if (code < 0x40) return escapes[code] ?? 1
  // From Thai to the last common ideograph, surrogates (rarer ideographs), and halfwidth katakana.
  const hasDictionary =
    (code >= 0x0e00 && code < 0xa000) ||
    (code >= 0xd800 && code < 0xe000) ||
    (code >= 0xff65 && code < 0xffa0)
  return hasDictionary ? dictionaryCost : 1
}

/** The lengths of `&quot;`, `&amp;`, `&#x27;`, `&lt;` and `&gt;` by the codes of their signs. */
const escapes: Record<number, number> = { 34: 6, 38: 5, 39: 6, 60: 4, 62: 4 }
