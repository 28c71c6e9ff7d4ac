import { NotUnderstood, textMaxBytes, textMaxMiB } from './refused.ts'

/** The encoding that a byte order mark names. Files without one are UTF-8. */
function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return 'utf-8'
}

/** The text of a file, without its byte order mark. */
export const decodeText = (bytes: Uint8Array): string =>
  understood(() => new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes))

/** The text of a file, piece by piece. With `isExact` it is read as UTF-8, and a byte order mark stays a part of it. */
export async function* decodePieces(
  pieces: AsyncIterable<Uint8Array>,
  isExact = false,
): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  for await (const piece of pieces) {
    decoder ??= new TextDecoder(isExact ? 'utf-8' : encodingOf(piece), { fatal: true, ignoreBOM: isExact })
    yield understood(() => decoder!.decode(piece, { stream: true }))
  }
  yield understood(() => decoder?.decode() ?? '')
}

/**
 * Joins the pieces of one text. Throws `NotUnderstood` for a text that is too long, after it was read to its end: the bounds of the whole
 * import, which refuse a ZIP bomb, count all of it.
 */
export async function joinPieces(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  let length = 0
  for await (const piece of pieces) {
    length += piece.length
    text = length > textMaxBytes ? '' : text + piece
  }
  if (length > textMaxBytes) throw new NotUnderstood(`This text has more than ${textMaxMiB} MiB.`)
  return text
}

/** The bytes of a file as UTF-8, piece by piece. */
export async function* utf8Pieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let decoder: TextDecoder | undefined
  let isFirst = true
  for await (const piece of pieces) {
    const encoding = isFirst ? encodingOf(piece) : 'utf-8'
    if (encoding !== 'utf-8') decoder = new TextDecoder(encoding, { fatal: true })
    isFirst = false
    yield decoder
      ? new TextEncoder().encode(understood(() => decoder!.decode(piece, { stream: true })))
      : piece
  }
}

function understood<T>(decode: () => T): T {
  try {
    return decode()
  } catch {
    throw new NotUnderstood('This file is not text in UTF-8 or UTF-16.')
  }
}
