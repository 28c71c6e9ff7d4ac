import { randomBytes } from 'node:crypto'
import type { Clock } from './clock.ts'

/** The source of random bytes. Tests bring their own. */
export interface Random {
  bytes(count: number): Buffer
}

export const systemRandom: Random = { bytes: bytesAhead() }

const bytesAtOnce = 4096

/** Reads many bytes at once: a read from the system for each id would cost more than to make the id. No byte is given twice. */
function bytesAhead(): Random['bytes'] {
  let ahead = Buffer.alloc(0)
  return (count) => {
    if (count > bytesAtOnce / 4) return randomBytes(count)
    if (ahead.length < count) ahead = randomBytes(bytesAtOnce)
    const taken = Buffer.from(ahead.subarray(0, count))
    ahead = ahead.subarray(count)
    return taken
  }
}

export interface IdSources {
  clock: Clock
  random: Random
}

/** A UUIDv7 (RFC 9562): 48 bits of the clock's milliseconds, the rest random. */
export function newId({ clock, random }: IdSources): string {
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
