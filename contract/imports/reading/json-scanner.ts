import { decodeText } from './decode.ts'
import { GrowingBytes } from './raw-file.ts'
import { NotUnderstood, textMaxBytes, textMaxMiB } from './refused.ts'

const depthMax = 100
/** Commas and brackets: a few bytes of JSON can take much more memory as values. */
const partsMax = 200_000
const restMaxBytes = 8 * 1024 * 1024

/** Reads the value of an element. Throws `NotUnderstood` when there is none. */
export type ReadElement = () => unknown

/**
 * Finds the elements of some lists in a JSON file, piece by piece. The value of each element is read alone, so that a large
 * file is never in memory as a whole, and an element that is no JSON spoils no other one. A list is given by the names that
 * lead to it; `*` stands for a place in a list: `journals.*.entries`.
 */
export class JsonScanner {
  readonly #lists: readonly string[]
  readonly #onElement: (list: string, read: ReadElement) => void
  readonly #levels: Level[] = []
  readonly #rest = new GrowingBytes()
  readonly #element = new GrowingBytes()
  readonly #name = new GrowingBytes()
  #partsOfRest = 0
  #partsOfElement = 0
  #wanted: Level | undefined
  #isInString = false
  #isInName = false
  #isEscaped = false
  #isBroken = false

  constructor(lists: readonly string[], onElement: (list: string, read: ReadElement) => void) {
    this.#lists = lists
    this.#onElement = onElement
  }

  push(piece: Uint8Array): void {
    let from = 0
    for (let at = 0; at < piece.length; at++) {
      if (this.#isInString) {
        at = this.#readString(piece, at)
        continue
      }
      const byte = piece[at]
      const level = this.#levels.at(-1)
      if (byte === quote) this.#startString(level)
      else if (byte === openBrace || byte === openBracket) {
        this.#open(level, byte === openBracket)
        if (this.#wanted && this.#wanted === this.#levels.at(-1)) {
          this.#rest.add(piece.subarray(from, at + 1))
          from = at + 1
        }
      } else if (byte === closeBrace || byte === closeBracket) {
        if (level && level === this.#wanted) {
          this.#element.add(piece.subarray(from, at))
          from = at
          this.#endElement()
          this.#wanted = undefined
        }
        this.#isBroken ||= level?.isList !== (byte === closeBracket)
        this.#levels.pop()
      } else if (byte === comma && level && level === this.#wanted) {
        this.#element.add(piece.subarray(from, at))
        from = at + 1
        this.#endElement()
      } else if (byte === comma) {
        this.#countPart()
        if (level) level.hasName = false
      }
    }
    this.#keep(piece.subarray(from))
  }

  /** All but the elements of the lists. Undefined: it is no JSON, as in a file that was cut. */
  rest(): unknown {
    return this.#isBroken || this.#levels.length > 0 ? undefined : valueOf(this.#rest.bytes())
  }

  /** Whether this name stood in the file so far, outside the lists. */
  hasSeen = (name: string): boolean => new TextDecoder().decode(this.#rest.bytes()).includes(`"${name}"`)

  #keep(bytes: Uint8Array) {
    if (!this.#wanted) {
      this.#rest.add(bytes)
      if (this.#rest.length > restMaxBytes) throw new NotUnderstood('This JSON file has too many parts.')
    } else if (this.#element.length <= textMaxBytes) this.#element.add(bytes)
  }

  #open(level: Level | undefined, isList: boolean) {
    this.#countPart()
    if (this.#levels.length === depthMax) throw new NotUnderstood('This JSON file is nested too deeply.')
    const path = level ? join(level.path, level.isList ? '*' : level.name) : ''
    const opened = { path, isList, name: '', hasName: false }
    this.#levels.push(opened)
    if (isList && !this.#wanted && this.#lists.includes(path)) this.#wanted = opened
  }

  #countPart() {
    if (this.#wanted) this.#partsOfElement++
    else if (++this.#partsOfRest > partsMax) throw new NotUnderstood('This JSON file has too many parts.')
  }

  #endElement() {
    const bytes = this.#element.bytes()
    const parts = this.#partsOfElement
    if (bytes.some((byte) => byte > space)) this.#onElement(this.#wanted!.path, () => elementOf(bytes, parts))
    this.#element.clear()
    this.#partsOfElement = 0
  }

  #startString(level: Level | undefined) {
    this.#isInString = true
    this.#isInName =
      level !== undefined && !level.isList && !level.hasName && this.#levels.length <= namedDepth
    this.#name.clear()
    if (level) level.hasName = true
  }

  /** The place where the string ends, or the end of the piece. */
  #readString(piece: Uint8Array, start: number): number {
    let at = start
    for (; at < piece.length; at++) {
      if (this.#isEscaped) this.#isEscaped = false
      else if (piece[at] === backslash) this.#isEscaped = true
      else if (piece[at] === quote) {
        this.#isInString = false
        break
      }
    }
    if (this.#isInName && this.#name.length < 100) this.#name.add(piece.subarray(start, at))
    if (this.#isInName && !this.#isInString)
      this.#levels.at(-1)!.name = new TextDecoder().decode(this.#name.bytes())
    return at
  }
}

/** The value of a JSON text inside another file, with the same bounds; undefined when it is none. */
export function boundedJson(json: string): unknown {
  const scanner = new JsonScanner([], () => {})
  scanner.push(new TextEncoder().encode(json))
  return scanner.rest()
}

interface Level {
  path: string
  isList: boolean
  /** The name before the value that is read, in an object. */
  name: string
  hasName: boolean
}

/** Deeper names lead to no list that a format has. */
const namedDepth = 6

const [quote, backslash, comma, space] = [0x22, 0x5c, 0x2c, 0x20]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)

function elementOf(bytes: Uint8Array, parts: number): unknown {
  if (bytes.length > textMaxBytes) throw new NotUnderstood(`This entry has more than ${textMaxMiB} MiB.`)
  if (parts > partsMax) throw new NotUnderstood('This entry has too many parts.')
  const value = valueOf(bytes)
  if (value === undefined) throw new NotUnderstood('This entry is damaged: it is no valid JSON.')
  return value
}

function valueOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decodeText(bytes))
  } catch {
    return undefined
  }
}
