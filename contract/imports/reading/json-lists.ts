import { asUtf8, decodeText, understood } from './decode.ts'
import { ImportRefused, itemsMax, NotUnderstood, textFileMaxBytes, textFileMaxMiB } from './refused.ts'

/** An element of a list, as bytes from `start` to `end`. */
export interface JsonElement {
  /** The list, as the names that lead to it; `*` stands for a place in a list: `journals.*.entries`. */
  list: string
  start: number
  end: number
  /** Its commas and brackets: a few bytes of JSON can take much more memory. */
  parts: number
}

export interface JsonLists {
  bytes: Uint8Array
  elements: JsonElement[]
  /** All but the elements of these lists. Undefined: the rest is no JSON, as in a file that was cut. */
  rest: unknown
}

const depthMax = 100
const partsMax = 200_000

/**
 * Finds the elements of some lists in a JSON file without reading their values. Each element is read alone later, so that a
 * large file is never in memory as values, and an element that is no JSON spoils no other one.
 */
export function findJsonLists(file: Uint8Array, lists: readonly string[]): JsonLists {
  const bytes = asUtf8(file)
  const elements: JsonElement[] = []
  const levels: Level[] = []
  const gaps: { start: number; end: number }[] = []
  let partsOutside = 0
  let isBroken = false

  for (let at = 0; at < bytes.length && !isBroken; at++) {
    const level = levels.at(-1)
    switch (bytes[at]) {
      case quote: {
        const end = endOfString(bytes, at)
        if (level && !level.isList && !level.hasName) {
          level.name = levels.length <= namedDepth ? textOf(bytes.subarray(at + 1, end)) : ''
          level.hasName = true
        }
        at = end
        break
      }
      case openBrace:
      case openBracket: {
        countPart()
        if (levels.length === depthMax) throw new ImportRefused('This JSON file is nested too deeply.')
        const path = level ? join(level.path, level.isList ? '*' : level.name) : ''
        const isList = bytes[at] === openBracket
        levels.push({ path, isList, name: '', hasName: false, start: at + 1, element: at + 1, parts: 0 })
        break
      }
      case closeBrace:
      case closeBracket:
        levels.pop()
        if (!level || level.isList !== (bytes[at] === closeBracket)) isBroken = true
        else if (isWanted(level)) {
          addElement(level, at)
          gaps.push({ start: level.start, end: at })
        }
        break
      case comma:
        if (level && isWanted(level)) {
          addElement(level, at)
          level.element = at + 1
          level.parts = 0
        } else {
          countPart()
          if (level) level.hasName = false
        }
        break
      default:
    }
  }
  return { bytes, elements, rest: isBroken || levels.length > 0 ? undefined : valueOf(outside(bytes, gaps)) }

  function isWanted({ isList, path }: Level) {
    return isList && lists.includes(path)
  }

  function addElement({ path, element, parts }: Level, end: number) {
    let start = element
    while (start < end && bytes[start]! <= space) start++
    if (start === end) return
    elements.push({ list: path, start, end, parts })
    if (elements.length > itemsMax)
      throw new ImportRefused(`This file holds more than ${itemsMax} entries. Please divide it.`)
  }

  function countPart() {
    const wanted = levels.find(isWanted)
    if (wanted) wanted.parts++
    else if (++partsOutside > partsMax) throw new ImportRefused('This JSON file has too many parts.')
  }
}

/** The value of an element. */
export function readElement(bytes: Uint8Array, { start, end, parts }: JsonElement): unknown {
  if (end - start > textFileMaxBytes)
    throw new NotUnderstood(`This entry has more than ${textFileMaxMiB} MiB.`)
  if (parts > partsMax) throw new NotUnderstood('This entry has too many parts.')
  const value = valueOf(bytes.subarray(start, end))
  if (value === undefined) throw new NotUnderstood('This entry is damaged: it is no valid JSON.')
  return value
}

/** The value of a JSON text inside another file, with the same bounds; undefined when it is none. */
export const boundedJson = (json: string): unknown => findJsonLists(new TextEncoder().encode(json), []).rest

interface Level {
  path: string
  isList: boolean
  /** The name before the value that is read, in an object. */
  name: string
  hasName: boolean
  start: number
  /** Where the element of a wanted list begins that is read. */
  element: number
  parts: number
}

/** Deeper names lead to no list that a format has. */
const namedDepth = 6

const [quote, backslash, comma, space] = [0x22, 0x5c, 0x2c, 0x20]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)

/** The place of the quote that ends a string; the end of the file when there is none. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
  return Math.min(at, bytes.length)
}

const textOf = (bytes: Uint8Array) =>
  bytes.length < 100 ? understood(() => new TextDecoder().decode(bytes)) : ''

function outside(bytes: Uint8Array, gaps: { start: number; end: number }[]): Uint8Array {
  const kept: Uint8Array[] = []
  let from = 0
  for (const { start, end } of gaps) {
    kept.push(bytes.subarray(from, start))
    from = end
  }
  kept.push(bytes.subarray(from))
  const joined = new Uint8Array(kept.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of kept) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

function valueOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decodeText(bytes))
  } catch {
    return undefined
  }
}
