import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Needs } from '#server/feature.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/database/pool.ts'
import type { SignedIn } from '#server/platform/http/endpoints/policy.ts'
import { keyFor } from '#server/platform/instance.ts'
import { digestOf } from '#server/platform/tokens.ts'
import { findAccount } from './queries.ts'
import { findSuspension } from './suspensions.ts'

/** An archive of many texts takes some minutes. */
const goodForSeconds = 60 * 60

/** The beginning, the person, the end and the signature. */
const shape = /^zme_(\w{10})\.(\d{1,12})\.([\w-]{43})$/

type Sources = Pick<Needs, 'secret' | 'clock'>

interface Owner {
  id: string
  /** The digest of the password: with another password the token is no good. */
  secret: string
}

const signed = ({ id, secret: digest }: Owner, end: string, secret: string) =>
  createHmac('sha256', keyFor('exports of suspended people', secret))
    .update(JSON.stringify([id, end, digest]))
    .digest('base64url')

const secondsOf = (clock: Clock) => Math.floor(clock.now().getTime() / 1000)

/** A token by which a suspended person reads what is theirs, for an hour (S62). It is stored nowhere. */
export function exportTokenOf(owner: Owner, { secret, clock }: Sources): string {
  const end = String(secondsOf(clock) + goodForSeconds)
  return `zme_${owner.id}.${end}.${signed(owner, end, secret)}`
}

export const isExportToken = (token: string): boolean => shape.test(token)

/** The person of an export token; undefined for a token that is no good, or once the person is not suspended any more. */
export async function findExportViewer(
  database: Database,
  token: string,
  { secret, clock }: Sources,
): Promise<SignedIn<'user'> | undefined> {
  const [, id = '', end = '', signature = ''] = shape.exec(token) ?? []
  const account = await findAccount(database, id)
  if (account === undefined || Number(end) <= secondsOf(clock)) return undefined
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(signed(account, end, secret)))) return undefined
  if ((await findSuspension(database, id)) === undefined) return undefined
  return { kind: 'user', id, session: { tokenHash: digestOf(token), isFresh: false, scopes: ['export'] } }
}
