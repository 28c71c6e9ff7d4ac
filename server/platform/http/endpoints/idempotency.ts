import { and, eq, gte, type Placeholder, type SQL, sql } from 'drizzle-orm'
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
  /** The status of the answer of a call that is not refused. */
  status: number
  /**
   * Fields of the answer that equal fields of the input, such as a private text. They are not stored: a retry sends them
   * again.
   */
  echoed?: Readonly<Record<string, unknown>>
}

/**
 * What the handler of a route with `claimsKey` must pass to the statement of its change (`claimsOf`) or to `changeOnce`, also
 * for a call without a key: `mount` answers a call whose handler forgot it with an error.
 */
export class KeyClaim {
  readonly keyed: KeyedCall | undefined
  isPassed = false

  constructor(keyed: KeyedCall | undefined) {
    this.keyed = keyed
  }
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
export async function claimKey(db: Db, keyed: KeyedCall): Promise<StoredAnswer | undefined> {
  const { person, call, key, inputDigest, echoed } = keyed
  const claimed = await claimStatement(db)
    .execute({ person, call, key, inputDigest })
    .catch((error: unknown) => {
      throw isPersonGone(error) ? new Refused('SignInRequired') : error
    })
  if (claimed.length > 0) return undefined
  const [stored] = await db.select().from(idempotencyKeys).where(matches(keyed))
  // The row was deleted between the two statements.
  if (stored === undefined) throw keyInUse()
  if (stored.inputDigest !== inputDigest) throw new Refused('IdempotencyKeyReused')
  return {
    status: stored.status!,
    body: echoed ? { ...(stored.answer as object), ...echoed } : stored.answer,
  }
}

export async function storeAnswer(db: Db, keyed: KeyedCall, body: unknown): Promise<void> {
  const { person, call, key, status } = keyed
  await storeStatement(db).execute({ person, call, key, status, answer: storedPart(keyed, body) })
}

/**
 * Makes a change in a transaction that also claims the key of the call, if it has one, and stores the answer. For a handler
 * with `claimsKey` whose change is more than one statement.
 */
export const changeOnce = <Answer>(
  db: Db,
  claim: KeyClaim,
  change: (tx: Db) => Promise<Answer>,
): Promise<Answer> => {
  const { keyed } = claim
  claim.isPassed = true
  return db.transaction(async (tx) => {
    if (keyed !== undefined && (await claimKey(tx, keyed)) !== undefined) throw keyInUse()
    const answer = await change(tx)
    if (keyed !== undefined) await storeAnswer(tx, keyed, answer)
    return answer
  })
}

/**
 * Ends a repeated call before work that `changeOnce` would find to be superfluous. Two calls that begin at the same time may
 * both go on to `changeOnce`.
 */
export async function refuseKeyInUse(db: Db, { keyed }: KeyClaim): Promise<void> {
  if (keyed === undefined) return
  const isInUse = and(matches(keyed), gte(idempotencyKeys.createdAt, expiryTime))
  if ((await db.$count(idempotencyKeys, isInUse)) > 0) throw keyInUse()
}

/**
 * The refusal that a handler with `claimsKey` throws when the key is in use. `mount` then sends the stored answer. If the stored
 * answer was deleted in between, the caller receives this refusal and retries.
 */
export const keyInUse = () => new Refused('Unavailable', { retryAfter: 1 })

/** A change that a statement with `keyClaimCtes` makes. */
interface ClaimedChange {
  id: string
  claim: KeyClaim
  /** The answer without the fields that the statement adds to it. */
  answer: object
}

/** The parameter `claims` of a statement with `keyClaimCtes`. */
export const claimsOf = (changes: readonly ClaimedChange[]): string =>
  JSON.stringify(
    changes.flatMap(({ id, claim, answer }) => {
      claim.isPassed = true
      const { keyed } = claim
      if (keyed === undefined) return []
      const { person, call, key, inputDigest, status } = keyed
      return { id, person, call, key, inputDigest, status, answer: storedPart(keyed, answer) }
    }),
  )

/**
 * Common table expressions, by name, for a statement that claims the keys of its callers together with its own change, and
 * stores the answers. They read the expression `ready` of the statement: the changes that nothing refuses, with the columns
 * `id` and `answer` (the part of the answer that the statement knows, as JSON). The change is made for the rows of `granted`,
 * which are those of `ready` whose key was free, and those without a key. `taken` has the ids of all others: their call ends
 * with `keyInUse`. No key may stand twice in one statement. Keys are locked after everything that `ready` locks, in one order
 * for everybody.
 */
export const keyClaimCtes = (): Record<string, SQL> => ({
  claims: sql`
    select * from jsonb_to_recordset(${placeholder('claims')}::jsonb) as claim
      (id uuid, person text, call text, key text, "inputDigest" text, status int, answer jsonb)`,
  claimed: insertKeys(sql`
    select person, call, key, "inputDigest" as input_digest, status, claims.answer || ready.answer as answer
    from claims join ready using (id)`),
  taken: sql`
    select ready.id from ready join claims using (id) left join claimed using (person, call, key)
    where claimed.key is null`,
  granted: sql`select * from ready where id not in (select id from taken) offset 0`,
})

/** Inserts the rows of keys, or replaces expired ones. Returns no row for a key that is in use. */
const insertKeys = (rows: SQL) => sql`
  insert into idempotency_keys (person, call, key, input_digest, status, answer, created_at)
  select person, call, key, input_digest, status, answer, app_now() from (${rows}) claim order by person, call, key
  on conflict (person, call, key) do update set
    input_digest = excluded.input_digest, status = excluded.status, answer = excluded.answer,
    created_at = excluded.created_at
  where excluded.created_at - idempotency_keys.created_at > interval '24 hours'
  returning person, call, key`

const { placeholder } = sql

const claimStatement = perHandle((db) => {
  const claimed = insertKeys(sql`
    select ${placeholder('person')}::text as person, ${placeholder('call')}::text as call, ${placeholder('key')}::text as key,
      ${placeholder('inputDigest')}::text as input_digest, null::int as status, null::jsonb as answer`)
  return db
    .with(db.$with('claimed', {}).as(claimed))
    .select({ key: sql<string>`key` })
    .from(sql`claimed`)
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

/** An answer without the private fields that a retry sends again. */
function storedPart({ echoed }: KeyedCall, answer: unknown): unknown {
  if (echoed === undefined) return answer
  return Object.fromEntries(Object.entries(answer as object).filter(([field]) => !(field in echoed)))
}

/** When a guest signs up, the stored answers get the new person id. A foreign key (`user_id`) deletes them with the account. */
export async function moveIdempotencyKeys(db: Db, fromPersonId: string, toPersonId: string): Promise<void> {
  await db.execute(sql`
    with moved as (delete from idempotency_keys where person = ${fromPersonId} returning *)
    insert into idempotency_keys (person, call, key, input_digest, status, answer, created_at)
    select ${toPersonId}::text, call, key, input_digest, status, answer, created_at from moved`)
}

export const purgeIdempotencyKeys = (db: Db, signal?: AbortSignal): Promise<void> =>
  deleteBefore(db, idempotencyKeys.createdAt, expiryTime, signal)

function matches({ person, call, key }: Record<'person' | 'call' | 'key', string | Placeholder>) {
  return and(eq(idempotencyKeys.person, person), eq(idempotencyKeys.call, call), eq(idempotencyKeys.key, key))
}
