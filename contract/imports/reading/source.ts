import { ImportRefused, itemsMax, listFileMaxBytes, readMaxBytes, textFileMaxBytes } from './refused.ts'
import { type RawFile, tooLarge } from './raw-file.ts'
import { listZip } from './zip.ts'

/** A file that an import holds: in a ZIP, in a chosen folder, or alone. */
export interface SourceFile {
  path: string
  /** Its bytes. Whoever reads a file decides what becomes of it; the files that nobody reads are skipped. */
  read: () => Promise<Uint8Array>
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
  checkPaths(raw)
  const done = new Set<RawFile>()
  let bytesLeft = readMaxBytes
  onRead(0, raw.length)
  return raw.map((each) => {
    const file: SourceFile = {
      path: each.path,
      isRead: false,
      async read() {
        file.isRead = true
        const bytes = await each.read(Math.min(bytesLeft, maxBytesOf(each.path)))
        bytesLeft -= bytes.length
        onRead(done.add(each).size, raw.length)
        return bytes
      },
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

function plainFile({ name, blob }: { name: string; blob: Blob }): RawFile {
  return {
    path: name,
    async read(maxBytes) {
      if (blob.size > maxBytes) throw tooLarge(name)
      return new Uint8Array(await blob.arrayBuffer())
    },
  }
}

/** No path leads out of the archive, and none stands for two files. Nothing is written to a disk, but such files are attacks. */
function checkPaths(files: readonly RawFile[]): void {
  const paths = new Set<string>()
  for (const { path } of files) {
    if (/^(?:\/|[a-z]:)|(?:^|\/)\.\.(?:\/|$)|\0/i.test(path))
      throw new ImportRefused(`This file names a path outside itself: ${path.slice(0, 200)}`)
    if (paths.has(path))
      throw new ImportRefused(`This file holds two files with one name: ${path.slice(0, 200)}`)
    paths.add(path)
  }
}
