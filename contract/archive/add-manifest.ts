import { sha256 } from '@noble/hashes/sha2'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils'
import { type ArchiveFile, jsonFile } from './file.ts'
import { archiveFormat, archiveVersion, manifestPath } from './layout.ts'
import type { Manifest } from './manifest.ts'

export interface ByteFile {
  path: string
  content: AsyncIterable<Uint8Array>
}

/** Adds the checksum of each file to the manifest while the file is read, and the manifest as the last file. */
export async function* addManifest(
  files: AsyncIterable<ArchiveFile>,
  about: Omit<Manifest, 'format' | 'version' | 'files'>,
): AsyncGenerator<ByteFile> {
  const listed: Manifest['files'] = []
  for await (const { path, content } of files) {
    const count = listed.length
    yield { path, content: checksummed(content, (sum) => listed.push({ path, ...sum })) }
    if (listed.length === count) throw new Error(`${path} was not read to its end.`)
  }
  const manifest: Manifest = { format: archiveFormat, version: archiveVersion, ...about, files: listed }
  const { path, content } = jsonFile(manifestPath, manifest)
  yield { path, content: inSlices(content) }
}

async function* checksummed(
  content: ArchiveFile['content'],
  onEnd: (sum: { bytes: number; sha256: string }) => void,
): AsyncGenerator<Uint8Array> {
  const hash = sha256.create()
  let bytes = 0
  for await (const slice of inSlices(content)) {
    hash.update(slice)
    bytes += slice.length
    yield slice
  }
  onEnd({ bytes, sha256: bytesToHex(hash.digest()) })
}

/** A slice is hashed within a few milliseconds, so that a page stays responsive. */
const sliceBytes = 256 * 1024

async function* inSlices(content: ArchiveFile['content']): AsyncGenerator<Uint8Array> {
  for await (const part of typeof content === 'string' || content instanceof Uint8Array
    ? [content]
    : content) {
    const bytes = typeof part === 'string' ? utf8ToBytes(part) : part
    for (let from = 0; from < bytes.length; from += sliceBytes) yield bytes.subarray(from, from + sliceBytes)
  }
}
