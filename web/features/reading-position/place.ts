// A place in a text is counted in characters, so that it is right in a window of another width and with larger letters.

export interface Place {
  /** How many characters of the text stand before the place. */
  offset: number
  /** The text from there on: it finds the place again after a change of the text before it. */
  words: string
}

const wordsLength = 40
/** A line begins above its letters, by about a third of their height. */
const aboveLetters = 0.35
/** The children around a place whose true height decides where it is. */
const childrenAround = 40

/** Answers the place of the first line of the text that is whole below `edge`, in pixels of the window. */
export function placeAt(text: HTMLElement, edge: number): Place | undefined {
  const first = [...text.children].find((child) => child.getBoundingClientRect().bottom > edge)
  if (first === undefined) return undefined
  const nodes = nodesOf(text)
  const written = textOf(nodes)
  let from = nodes.findIndex((node) => first.contains(node))
  if (from === -1) return undefined
  from = textOf(nodes.slice(0, from)).length
  let to = from + textOf(nodes.filter((node) => first.contains(node))).length
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
  return { offset, words: written.slice(offset, offset + wordsLength) }
}

/** Answers where the line of a place begins, in pixels of the window. */
export function topOf(text: HTMLElement, place: Place): number | undefined {
  const nodes = nodesOf(text)
  const offset = find(textOf(nodes), place)
  const [node] = nodeAt(nodes, offset)
  // A child that was never in sight may have an estimated height.
  const children = [...text.children] as HTMLElement[]
  const number = children.findIndex((child) => node !== undefined && child.contains(node))
  for (const child of children.slice(Math.max(0, number - childrenAround), number + childrenAround))
    child.style.contentVisibility = 'visible'
  const box = boxAt(nodes, offset)
  return box && box.top - aboveLetters * box.height
}

/** The words of the place, where they are nearest to its offset. */
function find(written: string, { offset, words }: Place): number {
  if (written.startsWith(words, offset)) return offset
  const before = written.lastIndexOf(words, offset)
  const after = written.indexOf(words, offset)
  if (before === -1 && after === -1) return Math.min(offset, written.length - 1)
  if (before === -1) return after
  return after === -1 || offset - before <= after - offset ? before : after
}

/** What stands beside the text, such as the names of authors, has no class `reading` around it. */
function nodesOf(text: HTMLElement): Text[] {
  const nodes = []
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const node = walker.currentNode as Text
    if (node.parentElement!.closest('.reading') !== null) nodes.push(node)
  }
  return nodes
}

const textOf = (nodes: readonly Text[]) => nodes.map(({ data }) => data).join('')

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
