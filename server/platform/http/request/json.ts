import { Refused } from '../refusal.ts'

const maxDepth = 20
/** Calls take some hundred values at most. To build an object of hundreds of thousands would block the event loop (S51). */
const maxCommas = 5000
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * The one JSON parser (S27): UTF-8 without a byte order mark, an object at the top, bounded depth, every key once,
 * finite numbers, no key that reaches a prototype.
 */
export function parseJson(body: Buffer): object {
  const { keys, value } = parse(body)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refused('The body must be a JSON object.')
  // `JSON.parse` keeps the last of equal keys: the object then has fewer keys than the text.
  if (countKeptKeys(value) !== keys) throw refused('The body holds a key twice.')
  return value
}

function parse(body: Buffer): { keys: number; value: unknown } {
  try {
    const text = utf8.decode(body)
    return { keys: countWrittenKeys(text), value: JSON.parse(text) }
  } catch (error) {
    throw error instanceof Refused ? error : refused('The body must be JSON in UTF-8.')
  }
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** Counts the keys, which are the colons outside of strings. Refuses a text that is too deep or has too many values. */
function countWrittenKeys(text: string): number {
  let [keys, commas, depth] = [0, 0, 0]
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign === quote) at = endOfString(text, at)
    else if (sign === colon) keys++
    else if (sign === comma) {
      if (++commas > maxCommas) throw refused('The body has too many parts.')
    } else if (sign === openBrace || sign === openBracket) {
      if (++depth > maxDepth) throw refused('The body is nested too deeply.')
    } else if (sign === closeBrace || sign === closeBracket) depth--
  }
  return keys
}

/** The index of the closing quote: the first one after an even number of backslashes. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let first = end
    while (text.charCodeAt(first - 1) === backslash) first--
    if ((end - first) % 2 === 0) return end
  }
  return text.length
}

function countKeptKeys(part: object): number {
  let keys = 0
  if (Array.isArray(part)) {
    for (const value of part) keys += countKeysOf(value)
    return keys
  }
  for (const key of Object.keys(part)) {
    if (forbiddenKeys.has(key)) throw refused('The body holds a key that is not taken.')
    keys += 1 + countKeysOf((part as Record<string, unknown>)[key])
  }
  return keys
}

function countKeysOf(value: unknown): number {
  if (value === Infinity || value === -Infinity) throw refused('The body holds too large a number.')
  return typeof value === 'object' && value !== null ? countKeptKeys(value) : 0
}

const refused = (error: string) => new Refused('InvalidInput', { error })
