import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { importOf } from '#contract/testing/import-samples.ts'
import { type ZipEntry, zipOf } from '#contract/testing/zip-writer.ts'

const rain = { name: '2024-03-01.md', data: 'Rain.' }
const isRain = { entries: [{ text: 'Rain.', place: '2024-03-01.md' }], notUnderstood: [] }

test.each([
  ['deflated', zipOf([rain])],
  ['stored', zipOf([{ ...rain, method: 0 }])],
  ['ZIP64', zipOf([rain], { isZip64: true })],
  ['with a comment', zipOf([rain], { comment: 'PK\u0005\u0006 is no end' })],
  ['behind another file', zipOf([rain], { before: Buffer.from('#!/bin/sh\n') })],
  ['ZIP64 behind another file', zipOf([rain], { before: Buffer.from('#!/bin/sh\n'), isZip64: true })],
  ['without a file type, as Python writes it', zipOf([{ ...rain, mode: 0o600 }])],
  [
    'with sizes of 64 bits',
    zipOf([
      { ...rain, extra: extra64(5, 7, 0), size: 0xffffffff, compressed: 0xffffffff, offset: 0xffffffff },
    ]),
  ],
  ['with a wrong declared size', zipOf([{ ...rain, size: 1 }])],
  ['with a wrong declared number', zipOf([rain], { count: 7 })],
  ['with a folder', zipOf([rain, { name: 'folder/', data: '', method: 0 }])],
])('a ZIP is read: %s [OWN-09]', async (_what, zip) => {
  expect(await importOf(zip)).toMatchObject(isRain)
})

/** Uncompressed size, compressed size and offset in the extra field of ZIP64. */
function extra64(...numbers: number[]) {
  const field = Buffer.alloc(4 + 8 * numbers.length)
  field.writeUInt16LE(1, 0)
  field.writeUInt16LE(8 * numbers.length, 2)
  for (const [index, each] of numbers.entries()) field.writeBigUInt64LE(BigInt(each), 4 + 8 * index)
  return field
}

test.each([
  ['leads outside', [{ name: '../rain.md' }], 'names a path outside itself: ../rain.md'],
  ['leads outside by backslashes', [{ name: 'a\\..\\..\\rain.md' }], 'names a path outside itself'],
  ['is absolute', [{ name: '/etc/rain.md' }], 'names a path outside itself'],
  ['names a drive', [{ name: 'C:\\rain.md' }], 'names a path outside itself'],
  ['stands twice', [rain, rain], 'holds two files with one name: 2024-03-01.md'],
  ['is too long', [{ name: `${'a'.repeat(1022)}.md` }], 'This path has more than 1024 characters: aaaa'],
  ['is a link', [{ ...rain, mode: 0o120777 }], 'holds a link to another file: 2024-03-01.md'],
])('a ZIP is refused when a name %s [OWN-14]', async (_what, entries: ZipEntry[], sentence) => {
  await expect(importOf(zipOf([{ name: 'first.md', data: 'x' }, ...entries]))).rejects.toThrow(sentence)
})

test('a ZIP that was cut is refused wherever the cut is [OWN-14]', async () => {
  const zip = zipOf([rain, { name: '2024-03-02.md', data: 'Sun.' }])
  for (let length = 4; length < zip.length; length++)
    await expect(importOf(zip.subarray(0, length)), `${length} bytes`).rejects.toThrow(
      'This ZIP file is cut or damaged.',
    )
})

test.each([
  ['no ZIP', Buffer.from('rain')],
  ['an empty file', Buffer.alloc(0)],
  ['an end alone that names files elsewhere', zipOf([rain]).subarray(-22)],
])('%s with the name of a ZIP is refused [OWN-14]', async (_what, zip) => {
  await expect(importOf(zip)).rejects.toThrow('This ZIP file is cut or damaged.')
})

test('an empty ZIP, and one part of a divided ZIP, are refused [OWN-14]', async () => {
  await expect(importOf(zipOf([]))).rejects.toThrow('No program that Z!mmer knows wrote this file.')
  const part = zipOf([rain])
  part.writeUInt16LE(1, part.length - 18)
  await expect(importOf(part)).rejects.toThrow('one part of a ZIP file that was divided')
})

test.each([
  ['a wrong checksum', { crc: 7 }, 'This file of the archive is damaged.'],
  ['encryption', { flags: 0x801 }, 'This file is encrypted.'],
  ['another way of packing', { method: 14 }, 'This file is packed in an unknown way.'],
  ['damaged data', { deflated: Buffer.from('no deflate') }, 'This file of the archive is damaged.'],
  [
    'cut data',
    { deflated: deflateRawSync('Snow. '.repeat(9000)).subarray(0, 30) },
    'This file of the archive is damaged.',
  ],
  [
    'a byte behind its end',
    { deflated: Buffer.concat([deflateRawSync('Snow.'), Buffer.of(0)]) },
    'This file of the archive is damaged.',
  ],
  [
    'many bytes behind its end',
    { deflated: Buffer.concat([deflateRawSync('Snow.'), Buffer.alloc(9000)]) },
    'This file of the archive is damaged.',
  ],
  ['no data', { deflated: Buffer.alloc(0) }, 'This file of the archive is damaged.'],
])('a file with %s is not understood, and the others are [OWN-18]', async (_what, entry, reason) => {
  const file = await importOf(zipOf([{ name: '2024-02-29.md', data: 'Snow.', ...entry }, rain]))
  expect(file.entries).toMatchObject(isRain.entries)
  expect(file.notUnderstood).toEqual([{ place: '2024-02-29.md', reason }])
})

test('deflated texts of every length are read [OWN-18]', async () => {
  const letters = Buffer.from(Array.from({ length: 40_000 }, (_, index) => 97 + ((index * index) % 25)))
  const lengths = Array.from({ length: 200 }, (_, index) => 1 + index ** 2)
  const texts = lengths.flatMap((length) =>
    [0, 6].map((level) => {
      const data = letters.subarray(0, length)
      return { name: `${length} ${level}.md`, data, deflated: deflateRawSync(data, { level }) }
    }),
  )
  const { entries } = await importOf(zipOf(texts))
  expect(entries.map(({ text }) => text)).toEqual(texts.map(({ data }) => data.toString()))
})

test('names in other encodings stay different, and their texts are read [OWN-18]', async () => {
  const name = (byte: number) =>
    Buffer.concat([Buffer.from('2024-03-01 '), Buffer.of(byte), Buffer.from('.md')])
  const file = await importOf(
    zipOf([
      { name: name(0x82), data: 'One.' },
      { name: name(0x8a), data: 'Two.' },
      { name: Buffer.from('2024-03-02 Grüße.md'), data: 'Three.' },
      { name: 'Journal\\2024-03-03.md', data: 'Four.' },
    ]),
  )
  expect(file.entries).toMatchObject([
    { day: '2024-03-01', text: 'One.' },
    { day: '2024-03-01', text: 'Two.' },
    { place: '2024-03-02 Grüße.md', text: 'Three.' },
    { place: 'Journal/2024-03-03.md', text: 'Four.' },
  ])
})

test('three thousand random changes of a ZIP end in entries or in a sentence [OWN-14]', async () => {
  const zip = zipOf([rain, { name: 'Journal/2024-03-02.md', data: 'Sun. '.repeat(50) }], { isZip64: true })
  let seed = 1
  const next = (below: number) => (seed = (seed * 48271) % 2147483647) % below
  for (let round = 0; round < 3000; round++) {
    const changed = Buffer.from(zip)
    for (let count = 0; count <= next(4); count++) changed[next(changed.length)] = next(256)
    const outcome = await importOf(changed).then(
      ({ format }) => format,
      (error: Error) => error.name,
    )
    expect(['markdown', 'ImportRefused'], `round ${round}`).toContain(outcome)
  }
})
