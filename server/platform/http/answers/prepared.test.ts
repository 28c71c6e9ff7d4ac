import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { encodingFor, etagOf, namesTag, Prepared } from './prepared.ts'

test('a prepared answer holds the same bytes in every encoding', async () => {
  const json = JSON.stringify({ text: 'ink '.repeat(1000) })
  const prepared = new Prepared(json)
  expect(gunzipSync(await prepared.in('gzip')).toString()).toBe(json)
  expect(brotliDecompressSync(await prepared.in('br')).toString()).toBe(json)
  expect((await prepared.in('plain')).toString()).toBe(json)
  expect(prepared.etag).toBe(etagOf(json))
})

test('an answer that only compressed callers take keeps no other bytes, and one that others take keeps both [R24]', async () => {
  const json = JSON.stringify({ text: 'ink '.repeat(1000) })
  const prepared = new Prepared(json)
  const sizes: number[] = []
  prepared.onResize(() => sizes.push(prepared.bytes))
  const [br, gzipped] = await Promise.all([prepared.in('br'), prepared.in('gzip')])
  expect(sizes.toSorted((a, b) => a - b).at(-1)).toBe(br.length + gzipped.length)
  const plain = await Promise.all([prepared.in('plain'), prepared.in('plain')])
  expect(plain.map(String)).toEqual([json, json])
  expect(prepared.in('plain')).toBe(plain[0])
  expect(plain[0].buffer.byteLength).toBe(prepared.length)
  expect(prepared.bytes).toBe(prepared.length + br.length + gzipped.length)
})

test('an answer that is taken while it is being compressed keeps its bytes', async () => {
  const prepared = new Prepared('ink '.repeat(1000))
  const compressed = prepared.in('gzip')
  const plain = prepared.in('plain')
  expect((await plain).toString()).toBe('ink '.repeat(1000))
  await compressed
  expect(prepared.in('plain')).toBe(plain)
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
