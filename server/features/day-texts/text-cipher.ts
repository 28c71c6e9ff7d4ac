import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import type { Random } from '#server/platform/ids.ts'

/** Identifies a text. It is authenticated data: a text that was copied to another row cannot be decrypted. */
export interface TextId {
  kind: string
  /** Its author. */
  userId: string
  /** The day of a text of a day, the id of a message. */
  key: string
}

/** How texts are stored: encrypted with a key, or as they are without one. */
export interface TextCipher {
  /** A digest that names the key; null for none. */
  keyId: string | null
  encrypt: (content: string, id: TextId) => Buffer
  decrypt: (encrypted: Buffer, id: TextId) => string
}

export const noCipher: TextCipher = {
  keyId: null,
  encrypt: (content) => Buffer.from(content),
  decrypt: (content) => content.toString(),
}

const algorithm = 'aes-256-gcm'
const nonceLength = 12
const tagLength = 16

/** AES-256-GCM. The result is the nonce, the tag and the encrypted text. */
export function createTextCipher(keyInHex: string | undefined, random: Random): TextCipher {
  if (keyInHex === undefined) return noCipher
  const key = Buffer.from(keyInHex, 'hex')
  return {
    keyId: createHmac('sha256', key).update('name of the diary key').digest('base64url').slice(0, 12),
    encrypt(content, id) {
      const nonce = random.bytes(nonceLength)
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(additionalData(id))
      const text = Buffer.concat([cipher.update(content), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), text])
    },
    decrypt(encrypted, id) {
      const nonce = encrypted.subarray(0, nonceLength)
      const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagLength })
        .setAAD(additionalData(id))
        .setAuthTag(encrypted.subarray(nonceLength, nonceLength + tagLength))
      return (
        decipher.update(encrypted.subarray(nonceLength + tagLength), undefined, 'utf8') +
        decipher.final('utf8')
      )
    },
  }
}

const additionalData = ({ kind, userId, key }: TextId) => Buffer.from(`${kind} ${userId} ${key}`)
