import { sha256 } from '@noble/hashes/sha2'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils'

/** The formulas of the proof. `docs/credit.md` says them in words. Numbers are big-endian. */

/** The link before the first passage. A room without a parent has zeros in its place. */
export const firstLink = (room: { id: string; createdMs: number }): Uint8Array =>
  hash(
    Uint8Array.of(0),
    utf8ToBytes('zimmer/1'),
    idBytes(room.id),
    number(room.createdMs, 8),
    new Uint8Array(32 + 4),
  )

/** The hash of a text. Without its salt of 16 bytes nobody can guess the text. */
export const textHashOf = (salt: Uint8Array, text: string): Uint8Array =>
  hash(Uint8Array.of(2), salt, utf8ToBytes(text))

/** The mark of a person in a room: equal on all passages of the person. The secret has 16 bytes, one for each person and room. */
export const whoOf = (secret: Uint8Array, personId: string): Uint8Array =>
  hash(Uint8Array.of(3), secret, utf8ToBytes(personId))

export interface Linked {
  position: number
  timeMs: number
  textHash: Uint8Array
  who: Uint8Array
}

export const nextLink = (before: Uint8Array, { position, timeMs, textHash, who }: Linked): Uint8Array =>
  hash(Uint8Array.of(1), before, number(position, 4), number(timeMs, 8), textHash, who)

/** What a server signs while a story is written: the link of its newest passage, and the address of the server. */
export const headMessage = (head: {
  origin: string
  roomId: string
  position: number
  link: Uint8Array
}): Uint8Array =>
  concatBytes(
    utf8ToBytes('zimmer/head/1'),
    idBytes(head.roomId),
    number(head.position, 4),
    head.link,
    utf8ToBytes(head.origin),
  )

/** What a server signs once after the end. */
export const sealMessage = (seal: {
  link: Uint8Array
  count: number
  endedMs: number
  title: string
}): Uint8Array =>
  concatBytes(
    utf8ToBytes('zimmer/seal/1'),
    seal.link,
    number(seal.count, 4),
    number(seal.endedMs, 8),
    hash(utf8ToBytes(seal.title)),
  )

/** Names a seal on a page and in a file, such as '1a2b 3c4d 5e6f 7a8b'. It is made of the signature. */
export const fingerprintOf = (signature: Uint8Array): string =>
  bytesToHex(hash(signature)).slice(0, 16).match(/.{4}/g)!.join(' ')

const hash = (...parts: Uint8Array[]) => sha256(concatBytes(...parts))

const idBytes = (id: string) => hexToBytes(id.replaceAll('-', ''))

function number(value: number, length: 4 | 8): Uint8Array {
  const bytes = new Uint8Array(length)
  for (let at = length - 1, rest = value; at >= 0; at--, rest = Math.floor(rest / 256)) bytes[at] = rest % 256
  return bytes
}
