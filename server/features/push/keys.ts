import { createECDH, createHmac } from 'node:crypto'
import { keyFor } from '#server/platform/instance.ts'

const curve = 'prime256v1'

/** The keys that sign the pushes of this installation (VAPID). They are made of its secret, and stored nowhere. */
export function vapidKeys(secret: string) {
  const privateKey = keyFor('push', secret)
  // A private key is smaller than the order of the curve, which begins with 32 bits that are 1.
  privateKey[0]! &= 0x7f
  const pair = createECDH(curve)
  pair.setPrivateKey(privateKey)
  return { publicKey: pair.getPublicKey('base64url'), privateKey: privateKey.toString('base64url') }
}

/** Whether a browser can decrypt with this key: it is a point of the curve. */
export function isPublicKey(key: string): boolean {
  const pair = createECDH(curve)
  pair.generateKeys()
  try {
    return pair.computeSecret(key, 'base64url').length > 0
  } catch {
    return false
  }
}

/** The topic as push services see it. It tells them nothing about the thing. */
export const topicForPushService = (topic: string, secret: string): string =>
  createHmac('sha256', keyFor('push topics', secret)).update(topic).digest('base64url').slice(0, 32)
