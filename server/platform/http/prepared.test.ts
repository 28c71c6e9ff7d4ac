import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { encodingFor, etagOf, namesTag, Prepared } from './prepared.ts'

test('a prepared answer holds the same bytes in every encoding', async () => {
  const json = JSON.stringify({ text: 'ink '.repeat(1000) })
  const prepared = new Prepared(json)
  expect(prepared.plain.toString()).toBe(json)
  expect(gunzipSync(await prepared.in('gzip')).toString()).toBe(json)
  expect(brotliDecompressSync(await prepared.in('br')).toString()).toBe(json)
  expect(prepared.etag).toBe(etagOf(json))
})

test.each([
  [undefined, 'plain'],
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.5', 'br'],
  ['zstd', 'plain'],
  ['GZIP', 'gzip'],
])('who accepts %s gets %s', (accept, encoding) => {
  expect(encodingFor(accept)).toBe(encoding)
})

test.each([
  [undefined, false],
  ['W/"abc"', true],
  ['"abc"', true],
  ['"x", W/"abc"', true],
  ['*', true],
  ['W/"abcd"', false],
])('If-None-Match %s names the tag: %s', (header, expected) => {
  expect(namesTag(header, 'W/"abc"')).toBe(expected)
})
