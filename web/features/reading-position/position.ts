// A reading position is counted in characters, so that it is right in a window of another width and with larger letters.

export interface ReadingPosition {
  /** How many characters of the text stand before the position. */
  offset: number
  /** The characters after the position. They find it again after a change of the text before it. */
  quote: string
}

const quoteLength = 40
/** A line begins above the boxes of its letters, by about a tenth of their height. More would show the line before. */
const aboveLetters = 0.1
/** So many children on each side of a position decide by their true height where it is. */
const childrenAround = 40

/** Answers the position of the first line of the text that is whole below `edge`, in pixels of the window. */
export function positionAt(text: HTMLElement, edge: number): ReadingPosition | undefined {
  const first = [...text.children].find((child) => child.getBoundingClientRect().bottom > edge)
  if (first === undefined) return undefined
  const nodes = nodesOf(text)
  const written = joined(nodes)
  let from = nodes.findIndex((node) => first.contains(node))
  if (from === -1) return undefined
  from = joined(nodes.slice(0, from)).length
  let to = from + joined(nodes.filter((node) => first.contains(node))).length
  // The next letter below the edge: lines follow each other downwards.
  while (from < to) {
    const middle = (from + to) >> 1
    let at = middle
    let box = boxAt(nodes, at)
    while (box === undefined && ++at < to) box = boxAt(nodes, at)
    if (box !== undefined && box.top < edge) from = at + 1
    else to = middle
  }
  const offset = from + written.slice(from).search(/\S|$/)
  return { offset, quote: written.slice(offset, offset + quoteLength) }
}

/**
 * Answers where the line of a position begins, in pixels of the window. The function also sets the `contentVisibility` of
 * the children around the position, because a child that was never in sight may have an estimated height.
 */
export function topOf(text: HTMLElement, position: ReadingPosition): number | undefined {
  const nodes = nodesOf(text)
  const offset = offsetOf(joined(nodes), position)
  const [node] = nodeAt(nodes, offset)
  const children = [...text.children] as HTMLElement[]
  const number = children.findIndex((child) => node !== undefined && child.contains(node))
  for (const child of children.slice(Math.max(0, number - childrenAround), number + childrenAround + 1))
    child.style.contentVisibility = 'visible'
  const box = boxAt(nodes, offset)
  return box && box.top - aboveLetters * box.height
}

/** Where the quote stands nearest to its offset. Without the quote in the text, the offset itself, or the end of the text. */
function offsetOf(written: string, { offset, quote }: ReadingPosition): number {
  if (written.startsWith(quote, offset)) return offset
  const before = written.lastIndexOf(quote, offset)
  const after = written.indexOf(quote, offset)
  if (before === -1 && after === -1) return Math.min(offset, written.length - 1)
  if (before === -1) return after
  return after === -1 || offset - before <= after - offset ? before : after
}

/** The text nodes inside an element of the class `reading`. Other nodes, such as the names of authors, are not counted. */
function nodesOf(text: HTMLElement): Text[] {
  const nodes = []
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const node = walker.currentNode as Text
    if (node.parentElement!.closest('.reading') !== null) nodes.push(node)
  }
  return nodes
}

const joined = (nodes: readonly Text[]) => nodes.map(({ data }) => data).join('')

function nodeAt(nodes: readonly Text[], offset: number): [Text | undefined, number] {
  let start = 0
  for (const node of nodes) {
    if (offset < start + node.length) return [node, offset - start]
    start += node.length
  }
  return [undefined, 0]
}

/** The box of the letter at an offset; undefined for white space that is not drawn. */
function boxAt(nodes: readonly Text[], offset: number): DOMRect | undefined {
  const [node, start] = nodeAt(nodes, offset)
  if (node === undefined) return undefined
  const range = document.createRange()
  range.setStart(node, start)
  range.setEnd(node, start + 1)
  return range.getClientRects()[0]
}
