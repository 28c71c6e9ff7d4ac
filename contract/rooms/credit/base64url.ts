const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const values = new Map(Array.from(alphabet, (letter, value) => [letter, value]))

/** Bytes as base64url without padding (RFC 4648). */
export function toBase64url(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 3) {
    const bits = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0)
    const letters = Math.min(bytes.length - i, 3) + 1
    for (let letter = 0; letter < letters; letter++) text += alphabet[(bits >> (18 - 6 * letter)) & 63]
  }
  return text
}

/** The bytes of a text of base64url; undefined unless `toBase64url` writes the same text for them. */
export function fromBase64url(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array((text.length * 3) >> 2)
  let [bits, count, at] = [0, 0, 0]
  for (const letter of text) {
    const value = values.get(letter)
    if (value === undefined) return undefined
    bits = ((bits << 6) | value) & 0xffff
    count += 6
    if (count < 8) continue
    count -= 8
    bytes[at++] = bits >> count
  }
  return toBase64url(bytes) === text ? bytes : undefined
}
