import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Needs } from '#server/feature.ts'
import type { Call } from '#server/platform/http/endpoints/handle.ts'
import { keyFor } from '#server/platform/instance.ts'
import { newToken } from '#server/platform/tokens.ts'

const deviceSeconds = 365 * 24 * 60 * 60
/** Accounts that one browser may be known for: people share browsers, and admins have a second account. */
const maxAccounts = 5

const shape = /^[\w-]{22}\.\d{1,12}\.[\w-]{43}$/

export interface Owner {
  id: string
  /** The digest of the password: with another password every device is unknown. */
  secret: string
}

export type DevicesDeps = Pick<Needs, 'secret' | 'clock' | 'random'>

type RememberingCall = Pick<Call, 'device' | 'setDevice' | 'afterCommit'>

/**
 * Browsers that have signed in before (S54). The cookie holds entries of the form `nonce.expiry.signature`: the
 * signature covers the account and the digest of its password, which nobody can read from it.
 */
export function createDevices({ secret, clock, random }: DevicesDeps) {
  const key = keyFor('known devices', secret)
  const now = () => Math.floor(clock.now().getTime() / 1000)
  const signed = (nonce: string, expiry: string, { id, secret: digest }: Owner) =>
    createHmac('sha256', key)
      .update(JSON.stringify([nonce, expiry, id, digest]))
      .digest('base64url')
  const isOf = (entry: string, owner: Owner) => {
    const [nonce = '', expiry = '', signature = ''] = entry.split('.')
    const [given, right] = [Buffer.from(signature), Buffer.from(signed(nonce, expiry, owner))]
    return given.length === right.length && timingSafeEqual(given, right) && Number(expiry) > now()
  }
  const entriesOf = (cookie = '') => cookie.split('~', maxAccounts).filter((entry) => shape.test(entry))
  // Without an account, do the same work, so that the time of the answer tells nothing (S11).
  const nobody = { id: '', secret: newToken(random) }

  return {
    /** The entry of the cookie for this account and password, if there is one. Nothing is stored on the server. */
    find: (cookie: string | undefined, owner: Owner = nobody) =>
      entriesOf(cookie).find((entry) => isOf(entry, owner)),
    /** Makes the browser of a call a known device. `replaced` is the owner before a change of password. */
    remember({ device, setDevice, afterCommit }: RememberingCall, owner: Owner, replaced = owner) {
      const nonce = random.bytes(16).toString('base64url')
      const expiry = String(now() + deviceSeconds)
      const others = entriesOf(device).filter((entry) => !isOf(entry, replaced))
      const own = `${nonce}.${expiry}.${signed(nonce, expiry, owner)}`
      const cookie = [own, ...others.slice(0, maxAccounts - 1)].join('~')
      afterCommit(() => setDevice(cookie, deviceSeconds))
    },
  }
}
