import { Refused } from './refusal.ts'

const maxDepth = 20
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The one JSON parser (S27): UTF-8, an object at the top, bounded depth, no key that reaches a prototype. */
export function parseJson(body: Buffer): object {
  const value = parse(body)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refused('InvalidInput', { error: 'The body must be a JSON object.' })
  }
  check(value, 1)
  return value
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body))
  } catch {
    throw new Refused('InvalidInput', { error: 'The body must be JSON in UTF-8.' })
  }
}

function check(value: object, depth: number) {
  if (depth > maxDepth) throw new Refused('InvalidInput', { error: 'The body is nested too deeply.' })
  for (const key of Object.keys(value)) {
    if (forbiddenKeys.has(key))
      throw new Refused('InvalidInput', { error: 'The body holds a key that is not taken.' })
    const part = (value as Record<string, unknown>)[key]
    if (typeof part === 'object' && part !== null) check(part, depth + 1)
  }
}
