import { strFromU8, unzipSync } from 'fflate'

/** Where the seal lies in the EPUB of a story. */
export const sealPath = 'META-INF/zimmer-seal.json'

/** More than any seal has: a story has at most 16 MiB, and its seal adds some hundred bytes for each passage. */
const sealMaxBytes = 128 * 1024 * 1024

/** The text of a seal or a receipt: the file itself, or what lies in a book. Empty for a book without a seal. */
export function textOf(file: Uint8Array): string {
  const isZip = file[0] === 0x50 && file[1] === 0x4b
  if (!isZip) return strFromU8(file)
  try {
    let found = 0
    // A small file may name its seal many times, and each of them may become long.
    const isSeal = ({ name, originalSize }: { name: string; originalSize: number }) =>
      name === sealPath && ++found === 1 && originalSize <= sealMaxBytes
    const seal = unzipSync(file, { filter: isSeal })[sealPath]
    return seal === undefined ? '' : strFromU8(seal)
  } catch {
    return ''
  }
}
