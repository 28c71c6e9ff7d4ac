import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { addManifest, type ByteFile } from './add-manifest.ts'
import type { ArchiveFile } from './file.ts'
import { Manifest } from './manifest.ts'

const about = {
  createdAt: '2025-06-10T12:00:00.000Z',
  origin: 'https://example.org',
  person: { id: 'k7q2m4xp3d', name: 'Ana Lima', email: 'ana@example.org' },
}

async function* listed(...files: ArchiveFile[]) {
  yield* files
}
const bytesOf = async ({ content }: ByteFile) => Buffer.concat(await Array.fromAsync(content))

async function* long() {
  for (let n = 0; n < 50; n++) yield `${n} ${'ü'.repeat(10_000)}\n`
}

test('the manifest names every file before it with its bytes and its checksum [OWN-06]', async () => {
  const files: ArchiveFile[] = [
    { path: 'a.md', content: 'Grüße\r\n' },
    { path: 'empty.md', content: '' },
    { path: 'book.epub', content: new Uint8Array(700_000).fill(7) },
    { path: 'long.json', content: long() },
  ]
  const read = new Map<string, Buffer>()
  for await (const file of addManifest(listed(...files), about)) read.set(file.path, await bytesOf(file))
  expect([...read.keys()]).toEqual([...files.map(({ path }) => path), 'manifest.json'])
  expect(read.get('a.md')!.toString()).toBe('Grüße\r\n')
  const manifest = Manifest.parse(JSON.parse(read.get('manifest.json')!.toString()))
  expect(manifest).toMatchObject({ format: 'zimmer-archive', version: 1, ...about })
  const expected = [...read].slice(0, -1).map(([path, bytes]) => ({
    path,
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }))
  expect(manifest.files).toEqual(expected)
})

test('no manifest is written after a file that was not read to its end [OWN-06]', async () => {
  const files = addManifest(
    listed({ path: 'a.md', content: 'Rain' }, { path: 'b.md', content: 'Snow' }),
    about,
  )
  await files.next()
  await expect(files.next()).rejects.toThrow('a.md was not read to its end.')
})

test('a long file is made while it is read [OWN-06]', async () => {
  let made = 0
  async function* counted() {
    for await (const part of long()) {
      made++
      yield part
    }
  }
  const files = addManifest(listed({ path: 'a.json', content: counted() }), about)
  const { value } = await files.next()
  const parts = (value as ByteFile).content[Symbol.asyncIterator]()
  expect(made).toBe(0)
  await parts.next()
  expect(made).toBe(1)
})
