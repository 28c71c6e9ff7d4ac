import { NotUnderstood } from './refused.ts'

/** The encoding that a byte order mark names. Files without one are UTF-8. */
function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return 'utf-8'
}

/** A decoder for a file, which drops a byte order mark and throws when the bytes are no text of its encoding. */
export const decoderFor = (bytes: Uint8Array): TextDecoder =>
  new TextDecoder(encodingOf(bytes), { fatal: true })

export function decodeText(bytes: Uint8Array): string {
  return understood(() => decoderFor(bytes).decode(bytes))
}

/** The bytes of a file as UTF-8. */
export function asUtf8(bytes: Uint8Array): Uint8Array {
  return encodingOf(bytes) === 'utf-8' ? bytes : new TextEncoder().encode(decodeText(bytes))
}

export function understood<T>(decode: () => T): T {
  try {
    return decode()
  } catch {
    throw new NotUnderstood('This file is not text in UTF-8 or UTF-16.')
  }
}
