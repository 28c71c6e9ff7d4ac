import { and, eq, lt, type Placeholder, sql } from 'drizzle-orm'
import { deleteBefore } from '../../database/delete-before.ts'
import { isPersonGone } from '../../person-gone.ts'
import { type Db, perHandle } from '../../database/pool.ts'
import { idempotencyKeys } from '../../schema.ts'
import { Refused } from '../refusal.ts'

export interface KeyedCall {
  /** The id of the person, or a digest of the client address of people without a session. */
  person: string
  /** Method and path, such as `POST /api/messages`. */
  call: string
  key: string
  inputDigest: string
  /**
   * Fields of the answer that equal fields of the input, such as a private text. They are not stored: a retry sends them
   * again.
   */
  echoed?: Readonly<Record<string, unknown>>
}

export interface StoredAnswer {
  status: number
  body: unknown
}

/** Keys that were claimed before this time are deleted. */
const expiryTime = sql`app_now() - interval '24 hours'`

/**
 * Claims a key inside the transaction of the change (R7). Returns undefined when this call claimed the key, else the
 * stored answer. A call with the same key waits for the first one. A refused call rolls its claim back, so the key can be
 * used again.
 */
export async function claimKey(db: Db, call: KeyedCall): Promise<StoredAnswer | undefined> {
  const { echoed: _, ...claim } = call
  const claimed = await claimStatement(db)
    .execute(claim)
    .catch((error: unknown) => {
      throw isPersonGone(error) ? new Refused('SignInRequired') : error
    })
  if (claimed.length > 0) return undefined
  const [stored] = await db.select().from(idempotencyKeys).where(matches(call))
  // The row was deleted between the two statements: ask the caller to retry.
  if (stored === undefined) throw new Refused('Unavailable', { retryAfter: 1 })
  if (stored.inputDigest !== call.inputDigest) throw new Refused('IdempotencyKeyReused')
  return {
    status: stored.status!,
    body: call.echoed ? { ...(stored.answer as object), ...call.echoed } : stored.answer,
  }
}

export async function storeAnswer(db: Db, call: KeyedCall, { status, body }: StoredAnswer): Promise<void> {
  const { echoed } = call
  const answer = echoed
    ? Object.fromEntries(Object.entries(body as object).filter(([field]) => !(field in echoed)))
    : body
  const { person, call: name, key } = call
  await storeStatement(db).execute({ person, call: name, key, status, answer })
}

const { placeholder } = sql

/** Inserts the row of a key, or replaces an expired one. Returns no row when the key is in use. */
const claimStatement = perHandle((db) => {
  const unanswered = {
    inputDigest: sql`${placeholder('inputDigest')}`,
    status: null,
    answer: null,
    createdAt: sql`app_now()`,
  }
  const { person, call, key, createdAt } = idempotencyKeys
  return db
    .insert(idempotencyKeys)
    .values({
      person: placeholder('person'),
      call: placeholder('call'),
      key: placeholder('key'),
      ...unanswered,
    })
    .onConflictDoUpdate({
      target: [person, call, key],
      set: unanswered,
      setWhere: lt(createdAt, expiryTime),
    })
    .returning({ key })
    .prepare('claim_key')
})

const storeStatement = perHandle((db) =>
  db
    .update(idempotencyKeys)
    .set({
      status: sql`${placeholder('status')}`,
      answer: sql`${sql.param(placeholder('answer'), idempotencyKeys.answer)}`,
    })
    .where(matches({ person: placeholder('person'), call: placeholder('call'), key: placeholder('key') }))
    .prepare('store_answer'),
)

/** When a guest signs up, the stored answers get the new person id. A foreign key (`user_id`) deletes them with the account. */
export async function moveIdempotencyKeys(db: Db, fromPersonId: string, toPersonId: string): Promise<void> {
  await db.update(idempotencyKeys).set({ person: toPersonId }).where(eq(idempotencyKeys.person, fromPersonId))
}

export const purgeIdempotencyKeys = (db: Db, signal?: AbortSignal): Promise<void> =>
  deleteBefore(db, idempotencyKeys.createdAt, expiryTime, signal)

function matches({ person, call, key }: Record<'person' | 'call' | 'key', string | Placeholder>) {
  return and(eq(idempotencyKeys.person, person), eq(idempotencyKeys.call, call), eq(idempotencyKeys.key, key))
}
