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
  ['\ufeff{"a":1}'],
  ['{"a":1,"a":1}'],
  ['{"a":1,"\\u0061":2}'],
  ['{"b":{"a":1,"c":[],"a":2}}'],
  ['{"a":[{"b":1,"b":{"c":1}}]}'],
  ['{"a":"x\\\\","a":"\\"{:"}'],
  ['{"__proto__":1,"__proto__":2}'],
  ['{"a":1e309}'],
  ['{"a":[-1e999]}'],
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

test('an object of many keys, or with a list of many values, is read [S27]', () => {
  const keys = Object.fromEntries(Array.from({ length: 5000 }, (_one, n) => [`key ${n}`, n]))
  expect(parse(JSON.stringify(keys))).toEqual(keys)
  const values = { list: Array.from({ length: 5000 }, (_one, n) => String(n)) }
  expect(parse(JSON.stringify(values))).toEqual(values)
})

const key = fc.string().filter((text) => !['__proto__', 'constructor', 'prototype'].includes(text))
const object = fc.dictionary(
  key,
  fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.boolean(), fc.jsonValue({ maxDepth: 2 })),
)

test('what was sent is what is read, whatever signs its texts hold [S27]', () => {
  fc.assert(
    fc.property(object, fc.constantFrom(0, 2), (sent, indent) => {
      const text = JSON.stringify(sent, null, indent)
      fc.pre(!/"(__proto__|constructor|prototype)":/.test(text))
      expect(parse(text)).toEqual(JSON.parse(text))
    }),
  )
})

test('an object with one of its keys doubled is refused, whatever signs its texts hold [S27]', () => {
  fc.assert(
    fc.property(object, key, fc.nat(), (sent, name, value) => {
      const pairs = Object.entries({ ...sent, [name]: value }).map(
        ([each, part]) => `${JSON.stringify(each)}:${JSON.stringify(part)}`,
      )
      const text = `{${[...pairs, `${JSON.stringify(name)}:${value}`].join(',')}}`
      expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'InvalidInput' }))
    }),
  )
})

test('a body of more parts than any call takes is refused before an object is built of it [S51]', () => {
  const many = '{"a":['.concat('1,'.repeat(10_001), '1]}')
  expect(() => parse(many)).toThrow(expect.objectContaining({ code: 'InvalidInput' }))
})
