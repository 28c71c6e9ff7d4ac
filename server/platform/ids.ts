import { randomBytes } from 'node:crypto'
import type { Clock } from './clock.ts'

/** Where chance comes from; tests bring their own. */
export interface Random {
  bytes(count: number): Buffer
}

export const systemRandom: Random = { bytes: bytesAhead() }

/** Chance comes in pages: asking the system for each id would cost more than making it. No byte is given twice. */
function bytesAhead(pageSize = 4096): Random['bytes'] {
  let page = Buffer.alloc(0)
  return (count) => {
    if (count > pageSize / 4) return randomBytes(count)
    if (page.length < count) page = randomBytes(pageSize)
    const taken = Buffer.from(page.subarray(0, count))
    page = page.subarray(count)
    return taken
  }
}

/** A UUIDv7 (RFC 9562): 48 bits of the clock's milliseconds, the rest random. */
export function newId({ clock, random }: { clock: Clock; random: Random }): string {
  const bytes = random.bytes(16)
  bytes.writeUIntBE(clock.now().getTime(), 0, 6)
  bytes[6] = 0x70 | (bytes[6]! & 0x0f)
  bytes[8] = 0x80 | (bytes[8]! & 0x3f)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

const crockford = '0123456789abcdefghjkmnpqrstvwxyz'

/** The id of a person, which pages show: 10 characters that are hard to misread. */
export const newPersonId = (random: Random): string => newCode(random, 10)

/** Random characters that are hard to misread, with 5 bits each. */
export const newCode = (random: Random, length: number): string =>
  Array.from(random.bytes(length), (byte) => crockford[byte % 32]).join('')
