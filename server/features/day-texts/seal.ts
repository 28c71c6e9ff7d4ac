import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import type { Random } from '#server/platform/ids.ts'

/** Which text it is: sealed in one place, it opens in no other. */
export interface Place {
  kind: string
  userId: string
  day: string
}

/** How texts are stored: sealed with a key, or as they are without one. */
export interface Seal {
  /** Names the key without telling it; null for none. */
  keyId: string | null
  close: (content: string, place: Place) => Buffer
  open: (sealed: Buffer, place: Place) => string
}

export const noSeal: Seal = {
  keyId: null,
  close: (content) => Buffer.from(content),
  open: (content) => content.toString(),
}

const algorithm = 'aes-256-gcm'
const nonceLength = 12
const tagLength = 16

/** AES-256-GCM: a nonce of its own, the tag, then the text. */
export function createSeal(keyInHex: string | undefined, random: Random): Seal {
  if (keyInHex === undefined) return noSeal
  const key = Buffer.from(keyInHex, 'hex')
  return {
    keyId: createHmac('sha256', key).update('name of the diary key').digest('base64url').slice(0, 12),
    close(content, place) {
      const nonce = random.bytes(nonceLength)
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(boundTo(place))
      const text = Buffer.concat([cipher.update(content), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), text])
    },
    open(sealed, place) {
      const nonce = sealed.subarray(0, nonceLength)
      const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagLength })
        .setAAD(boundTo(place))
        .setAuthTag(sealed.subarray(nonceLength, nonceLength + tagLength))
      return (
        decipher.update(sealed.subarray(nonceLength + tagLength), undefined, 'utf8') + decipher.final('utf8')
      )
    },
  }
}

const boundTo = ({ kind, userId, day }: Place) => Buffer.from(`${kind} ${userId} ${day}`)
