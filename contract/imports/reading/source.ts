import { decodePieces, joinPieces } from './decode.ts'
import {
  ImportRefused,
  itemsMax,
  listFileMaxBytes,
  pathMaxLength,
  readMaxBytes,
  textFileMaxBytes,
} from './refused.ts'
import { piecesOf, type RawFile } from './raw-file.ts'
import { listZip } from './zip.ts'

/** A file that an import holds: in a ZIP, in a chosen folder, or alone. */
export interface SourceFile {
  path: string
  /** Its bytes, piece by piece. Each piece is good until the next one. */
  pieces: () => AsyncIterable<Uint8Array>
  text: () => Promise<string>
  /** True once a reader reads the file and so reports what becomes of it. `readImport` reports all other files as skipped. */
  isRead: boolean
}

/** The files of an import, with bounds on what is read of them. */
export async function openSource(
  files: readonly { name: string; blob: Blob }[],
  onRead: (done: number, of: number) => void,
): Promise<SourceFile[]> {
  const [first] = files
  const raw = files.length === 1 && (await isZip(first!)) ? await listZip(first!.blob) : files.map(plainFile)
  if (raw.length > itemsMax)
    throw new ImportRefused(`This file holds more than ${itemsMax} files. Please divide it.`)
  const long = raw.find(({ path }) => path.length > pathMaxLength)
  if (long)
    throw new ImportRefused(`This path has more than ${pathMaxLength} characters: ${long.path.slice(0, 200)}`)
  const done = new Set<RawFile>()
  let bytesRead = 0
  onRead(0, raw.length)
  return raw.map((each) => {
    const file: SourceFile = {
      path: each.path,
      isRead: false,
      async *pieces() {
        file.isRead = true
        const maxBytes = maxBytesOf(each.path)
        let bytesOfFile = 0
        for await (const piece of each.pieces()) {
          bytesOfFile += piece.length
          bytesRead += piece.length
          if (bytesOfFile > maxBytes || bytesRead > readMaxBytes)
            throw new ImportRefused(`${each.path.slice(0, 200)} is too large to be read.`)
          yield piece
        }
        onRead(done.add(each).size, raw.length)
      },
      text: () => joinPieces(decodePieces(file.pieces())),
    }
    return file
  })
}

export const hasExtension = (path: string, ...extensions: string[]): boolean =>
  extensions.includes(extensionOf(path))

export const extensionOf = (path: string): string =>
  /\.([a-z0-9]{1,10})$/i.exec(path)?.[1]?.toLowerCase() ?? ''

/** The name of a file without its folder and extension. */
export const stemOf = (path: string): string =>
  path.slice(path.lastIndexOf('/') + 1).replace(/\.[a-z0-9]{1,10}$/i, '')

/** Files of an operating system or a program, such as `.DS_Store`, `.obsidian/` and `__MACOSX/`. */
export const isHidden = (path: string): boolean => /(?:^|\/)(?:\.|__MACOSX\/)/.test(path)

const maxBytesOf = (path: string) =>
  hasExtension(path, 'json', 'xml', 'wxr') ? listFileMaxBytes : textFileMaxBytes

async function isZip({ name, blob }: { name: string; blob: Blob }): Promise<boolean> {
  const [p, k, ...mark] = new Uint8Array(await blob.slice(0, 4).arrayBuffer())
  // 'PK' and the signature of a file, or of the end of an empty archive.
  const isMarked = p === 0x50 && k === 0x4b && ['3,4', '5,6'].includes(mark.join(','))
  return isMarked || hasExtension(name, 'zip')
}

const plainFile = ({ name, blob }: { name: string; blob: Blob }): RawFile => ({
  path: name,
  pieces: () => piecesOf(blob),
})
