import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { sealPath, textOf } from './read-file.ts'

test('a book that names its seal many times is read as fast as one with a seal [CRED-05]', () => {
  const mebibytes = 4
  const book = zipSync({ [sealPath]: new Uint8Array(mebibytes * 2 ** 20).fill(32) })
  const many = listedTimes(book, 500)
  const start = performance.now()
  expect(textOf(many)).toHaveLength(mebibytes * 2 ** 20)
  expect(performance.now() - start).toBeLessThan(5000)
})

test('the first seal of a book is its seal [CRED-05]', () => {
  const book = zipSync({ mimetype: strToU8('x'), [sealPath]: strToU8('{}') })
  expect(textOf(book)).toBe('{}')
  expect(textOf(book.subarray(0, book.length - 30))).toBe('')
})

/** The directory at the end of a ZIP file with one entry, which is repeated. The last 22 bytes say where the directory is. */
function listedTimes(zip: Uint8Array, times: number): Uint8Array {
  const end = Buffer.from(zip.slice(-22))
  const [length, start] = [end.readUInt32LE(12), end.readUInt32LE(16)]
  const entry = zip.subarray(start, start + length)
  end.writeUInt16LE(times, 8)
  end.writeUInt16LE(times, 10)
  end.writeUInt32LE(times * length, 12)
  return Buffer.concat([zip.subarray(0, start), ...Array<Uint8Array>(times).fill(entry), end])
}
