import { and, eq, lt, sql } from 'drizzle-orm'
import { deleteBefore } from '../database/delete-before.ts'
import { type PersonalData, isPersonGone } from '../personal-data.ts'
import type { Db } from '../database/pool.ts'
import { idempotencyKeys } from '../schema.ts'
import { Refused } from './refusal.ts'

export interface KeyedCall {
  /** The id of the person, or a digest of the client address of people without a session. */
  person: string
  call: string
  key: string
  inputDigest: string
  /** What the answer says again of the input, by its fields: it is not kept, and comes from the repeated input. */
  repeated?: Readonly<Record<string, unknown>>
}

export interface KeptAnswer {
  status: number
  body: unknown
}

/**
 * Claims a key inside the transaction of the change (R7). Equal keys at the same time wait here for the first,
 * and get its answer; a refused request rolls its claim back and so does not use up the key.
 */
export async function claimKey(db: Db, call: KeyedCall): Promise<KeptAnswer | undefined> {
  const isExpired = and(matches(call), lt(idempotencyKeys.createdAt, sql`app_now() - interval '24 hours'`))
  await db.delete(idempotencyKeys).where(isExpired)
  const claimed = await db
    .insert(idempotencyKeys)
    .values({ ...call, createdAt: sql`app_now()` })
    .onConflictDoNothing()
    .returning({ key: idempotencyKeys.key })
    .catch((error: unknown) => {
      throw isPersonGone(error) ? new Refused('SignInRequired') : error
    })
  if (claimed.length > 0) return undefined
  const [kept] = await db.select().from(idempotencyKeys).where(matches(call))
  if (kept === undefined) throw new Refused('Unavailable', { retryAfter: 1 })
  if (kept.inputDigest !== call.inputDigest) throw new Refused('IdempotencyKeyReused')
  return {
    status: kept.status!,
    body: call.repeated ? { ...(kept.answer as object), ...call.repeated } : kept.answer,
  }
}

/** Keeps the answer with its key. */
export async function keepAnswer(db: Db, call: KeyedCall, { status, body }: KeptAnswer): Promise<void> {
  const { repeated } = call
  const answer = repeated
    ? Object.fromEntries(Object.entries(body as object).filter(([field]) => !(field in repeated)))
    : body
  await db.update(idempotencyKeys).set({ status, answer }).where(matches(call))
}

/** Kept answers move with a guest who signs up. A foreign key (`user_id`) deletes them with the account. */
export const idempotencyPersonalData: PersonalData = {
  move: async (db, fromPersonId, toPersonId) =>
    void (await db
      .update(idempotencyKeys)
      .set({ person: toPersonId })
      .where(eq(idempotencyKeys.person, fromPersonId))),
  remove: async () => {},
}

export const purgeIdempotencyKeys = (db: Db, signal?: AbortSignal): Promise<void> =>
  deleteBefore(db, idempotencyKeys.createdAt, sql`app_now() - interval '24 hours'`, signal)

function matches({ person, call, key }: KeyedCall) {
  return and(eq(idempotencyKeys.person, person), eq(idempotencyKeys.call, call), eq(idempotencyKeys.key, key))
}
