import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson } from './json.ts'

const parse = (text: string) => parseJson(Buffer.from(text))

test.each([
  ['[1]'],
  ['"text"'],
  ['null'],
  ['{'],
  [''],
  ['{"a":1,}'],
  ['{"__proto__":{}}'],
  ['{"a":{"constructor":1}}'],
  ['{"a":[{"prototype":1}]}'],
  ['{"\\u005f_proto__":1}'],
  ['{"a":'.repeat(21) + '1' + '}'.repeat(21)],
])('a body that is no plain JSON object is refused: %s [S27]', (text) => {
  expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'InvalidInput' }))
})

test('bytes that are no UTF-8 are refused [S27]', () => {
  expect(() => parseJson(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toThrow(
    expect.objectContaining({ code: 'InvalidInput' }),
  )
})

test('an object of twenty levels is read [S27]', () => {
  expect(parse('{"a":'.repeat(19) + '{}' + '}'.repeat(19))).toHaveProperty('a')
})

test('what was sent is what is read [S27]', () => {
  const key = fc.string().filter((text) => !['__proto__', 'constructor', 'prototype'].includes(text))
  fc.assert(
    fc.property(fc.dictionary(key, fc.oneof(fc.string(), fc.integer(), fc.boolean())), (object) => {
      const plain = JSON.parse(JSON.stringify(object)) as object
      expect(parse(JSON.stringify(object))).toEqual(plain)
    }),
  )
})
