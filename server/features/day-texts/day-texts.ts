import { randomUUID } from 'node:crypto'
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { batchRows } from '#server/platform/database/batch-rows.ts'
import { apiInstant, justAfter } from '#server/platform/database/columns.ts'
import { arrayParameter, type Db, executePrepared, perHandle } from '#server/platform/database/pool.ts'
import { isUniqueViolation } from '#server/platform/database/unique-violation.ts'
import { isInstant } from '#server/platform/http/answers/paging.ts'
import { claimsOf, KeyClaim, keyClaimCtes, keyInUse } from '#server/platform/http/endpoints/idempotency.ts'
import { Refused } from '#server/platform/http/refusal.ts'
import { findDiaryKeyId, textKeyFact, type Vault, vaultLocked } from './vault.ts'

/** One of the tables that hold one text per person and day. */
export interface DayTexts {
  kind: 'diary' | 'calendar'
  table: string
  /** Its column of the day. */
  day: string
  /** What all texts of a person may take together, in bytes of UTF-8. */
  maxBytes: number
}

/** A decrypted text; a day without a text has no `updatedAt`. */
export interface DayText {
  day: string
  content: string
  updatedAt: string | null
}

interface NewDayText {
  day: string
  content: string
  /** The `updatedAt` that the writer started from; undefined overwrites whatever is there. */
  base?: string | null | undefined
  /** When the text was written elsewhere. It becomes the `updatedAt` of a day that has no text, unless it is in the future. */
  writtenAt?: string | undefined
}

type Saving = { saved: DayText } | { refused: 'conflict'; current: DayText } | { refused: 'full' }

interface PersonTexts {
  texts: DayTexts
  vault: Vault
  userId: string
}

/** The Idempotency-Key of a save, and the answer that is stored with it. */
interface KeyedSave {
  claim: KeyClaim
  /** The statement sets its `updated_at`. */
  answer: object
}

/**
 * Saves the text of a day, unless somebody changed the day since the writer's base, and claims the key of the call. Throws when
 * the key is in use. Texts of different people that arrive at the same time are saved by one statement.
 */
export async function saveDayText(
  db: Db,
  { texts, vault, userId }: PersonTexts,
  text: NewDayText,
  keyed: KeyedSave = { claim: new KeyClaim(undefined), answer: {} },
): Promise<Saving> {
  vault.refuseIfLocked()
  const { day, content, base, writtenAt = null } = text
  const { cipher } = vault
  const row: SavedRow = {
    ...keyed,
    id: randomUUID(),
    userId,
    day,
    content: cipher.encrypt(content, { kind: texts.kind, userId, key: day }),
    keyId: cipher.keyId,
    size: Buffer.byteLength(content),
    overwrites: base === undefined,
    base: base ?? null,
    writtenAt,
  }
  const saved = (await saveInBatch(db, texts)(row)) ?? (await saveAlone(db, texts, row))
  if (saved === undefined) return reasonAgainst(db, { texts, vault, userId }, text)
  if (saved.updatedAt === null) throw keyInUse()
  return { saved: { day, content, updatedAt: saved.updatedAt } }
}

interface SavedRow extends KeyedSave {
  id: string
  userId: string
  day: string
  content: Buffer
  keyId: string | null
  size: number
  overwrites: boolean
  base: string | null
  writtenAt: string | null
}

/** A saved text, or a text whose key is in use. The latter has no time. */
interface Saved {
  id: string
  updatedAt: string | null
}

/** Builds a value once for each handle and each table. */
function perTable<T>(build: (db: Db, texts: DayTexts) => T): (db: Db, texts: DayTexts) => T {
  const tablesOf = perHandle(() => new Map<DayTexts, T>())
  return (db, texts) => tablesOf(db).getOrInsertComputed(texts, () => build(db, texts))
}

const saveInBatch = perTable((db, texts) =>
  batchRows(
    // Half of the limit, because these saves do not wait for other saves of the same person.
    (rows: SavedRow[]) => saveRows(db, texts, rows, texts.maxBytes / 2).catch(noneWhenAdded),
    ({ content, userId }) => ({ content, unshared: [userId] }),
  ),
)

/**
 * The statement fails when somebody adds one of its days at the same time. It has then saved none of its texts, and each is
 * saved alone.
 */
function noneWhenAdded(error: unknown): [] {
  if (isUniqueViolation(error)) return []
  throw error
}

/**
 * Saves a text that the shared statement has not saved. A person saves one such text at a time, so that near the limit the sum
 * stays within it.
 */
async function saveAlone(db: Db, texts: DayTexts, row: SavedRow): Promise<Saved | undefined> {
  const save = () =>
    db.transaction(async (tx) => {
      await tx.execute(
        sql`select pg_advisory_xact_lock(hashtextextended(${`${texts.kind} ${row.userId}`}, 0))`,
      )
      return saveRows(tx, texts, [row], texts.maxBytes)
    })
  const [saved] = await save().catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error
    // This time the statement sees the day that was added.
    return save()
  })
  return saved
}

/** Saves texts of different people. Returns those that were saved, and those whose key is in use. */
async function saveRows(db: Db, texts: DayTexts, rows: SavedRow[], maxBytes: number): Promise<Saved[]> {
  const all = <Field extends keyof SavedRow>(field: Field) => rows.map((row) => row[field])
  return saveStatement(db, texts).execute({
    ids: all('id'),
    userIds: all('userId'),
    days: all('day'),
    contents: all('content'),
    keyIds: all('keyId'),
    sizes: all('size'),
    overwrites: all('overwrites'),
    bases: all('base'),
    writtenAts: all('writtenAt'),
    maxBytes,
    claims: claimsOf(rows),
  })
}

/**
 * Locks the people before their days, each in the order of the ids, as every transaction does, and then the Idempotency-Keys. It
 * saves no text with another `keyId` than that of the installation: a process that outlived a change of this key writes nothing.
 */
const saveStatement = perTable((db, texts) => {
  const { table, dayColumn } = namesOf(texts)
  const ctes = {
    people: sql`select id from users where id = any(${arrayParameter('userIds', 'text')}::text[]) order by id for key share`,
    given: sql`
      select given.* from unnest(${arrayParameter('ids', 'uuid')}, ${arrayParameter('userIds', 'text')}, ${arrayParameter('days', 'date')},
        ${arrayParameter('contents', 'bytea')}, ${arrayParameter('keyIds', 'text')}, ${arrayParameter('sizes', 'int')},
        ${arrayParameter('overwrites', 'boolean')}, ${arrayParameter('bases', 'timestamptz')}, ${arrayParameter('writtenAts', 'timestamptz')})
        as given (id, user_id, day, content, key_id, size, overwrites, base, written_at)
        join people on people.id = given.user_id`,
    stored: sql`
      select given.id, stored.updated_at, stored.size
      from given join ${table} as stored on stored.user_id = given.user_id and stored.${dayColumn} = given.day
      order by stored.user_id for no key update of stored`,
    allowed: sql`
      select given.*, stored.updated_at as replaced_at
      from given left join stored using (id)
      where (overwrites or base is not distinct from stored.updated_at)
        and given.key_id is not distinct from
          (select value from instance_facts where name = ${sql.raw(`'${textKeyFact}'`)})
        and (select coalesce(sum(size), 0) from ${table} as texts where texts.user_id = given.user_id)
          - coalesce(stored.size, 0) + given.size <= ${sql.placeholder('maxBytes')}::int`,
    // Only a day that has no text gets the time of writing.
    ready: sql`
      select dated.*, jsonb_build_object('updated_at', ${apiInstant(sql`saved_at`)}) as answer
      from (
        select *, case when replaced_at is null then least(app_now(), written_at)
          else greatest(app_now(), ${justAfter(sql`replaced_at`)}) end as saved_at
        from allowed offset 0
      ) dated`,
    ...keyClaimCtes(),
    changed: sql`
      update ${table} as stored
      set content = granted.content, key_id = granted.key_id, size = granted.size, updated_at = saved_at
      from granted
      where stored.user_id = granted.user_id and stored.${dayColumn} = granted.day and replaced_at is not null`,
    added: sql`
      insert into ${table} (user_id, ${dayColumn}, content, key_id, size, updated_at)
      select user_id, day, content, key_id, size, saved_at from granted where replaced_at is null order by user_id`,
  }
  return db
    .with(...Object.entries(ctes).map(([name, query]) => db.$with(name, {}).as(query)))
    .select({ id: sql<string>`id`, updatedAt: sql<string | null>`saved_at` })
    .from(sql`(select id, saved_at from granted union all select id, null from taken) saved`)
    .prepare(`save_${texts.kind}`)
})

async function reasonAgainst(db: Db, person: PersonTexts, { day, base }: NewDayText): Promise<Saving> {
  if ((await findDiaryKeyId(db)) !== person.vault.cipher.keyId) throw vaultLocked()
  const current = await findDayText(db, person, day)
  if (current.updatedAt === null) {
    const { rowCount } = await db.execute(sql`select 1 from users where id = ${person.userId} for key share`)
    if (rowCount === 0) throw new Refused('SignInRequired')
  }
  if (base !== undefined && base !== current.updatedAt) return { refused: 'conflict', current }
  return { refused: 'full' }
}

/** Returns the two instants of a save, and refuses a text that is none. */
export function readInstants({ base, writtenAt }: Pick<NewDayText, 'base' | 'writtenAt'>) {
  if (typeof base === 'string' && !isInstant(base))
    throw new Refused('InvalidInput', { fields: { base: 'base is the updated_at of an earlier answer.' } })
  if (writtenAt !== undefined && !isInstant(writtenAt))
    throw new Refused('InvalidInput', { fields: { writtenAt: 'writtenAt is an instant.' } })
  return { base, writtenAt }
}

export async function findDayText(db: Db, person: PersonTexts, day: string): Promise<DayText> {
  person.vault.refuseIfLocked()
  const { table, dayColumn } = namesOf(person.texts)
  const [row] = await executePrepared<DayRow>(
    db,
    `select_${person.texts.kind}_day`,
    sql`select ${fieldsOf(dayColumn)} from ${table} where user_id = ${person.userId} and ${dayColumn} = ${day}::date`,
  )
  if (row === undefined) return { day, content: '', updatedAt: null }
  const text = decrypted(person, row)
  // Not an empty day: a text saved there would replace the damaged row.
  if (text === undefined) throw new Refused('DayDamaged')
  return text
}

interface DayPage {
  /** Where the next page begins, if there is one. */
  nextBefore: string | undefined
  /** Oldest first. */
  batches: AsyncIterable<DayText[]>
}

const batchSize = 50
/** The most bytes of text in a batch, plus the text that exceeds them. A slow reader takes no more memory than this. */
const batchBytes = 1024 * 1024

/** The newest days, or the newest `before` one; read while they are sent. */
export async function readDayTexts(
  db: Db,
  person: PersonTexts,
  { limit, before = 'infinity' }: { limit: number; before?: string | undefined },
): Promise<DayPage> {
  person.vault.refuseIfLocked()
  const { table, dayColumn } = namesOf(person.texts)
  const { rows } = await db.execute<{ day: string }>(sql`
    select ${dayColumn} as day from ${table} where user_id = ${person.userId} and ${dayColumn} < ${before}::date
    order by ${dayColumn} desc offset ${limit - 1} limit 2`)
  const [first, older] = rows
  return {
    nextBefore: older && first?.day,
    batches: batchesOf(db, person, { first: first?.day ?? '-infinity', before }),
  }
}

async function* batchesOf(db: Db, person: PersonTexts, { first, before }: { first: string; before: string }) {
  const { dayColumn } = namesOf(person.texts)
  let from = sql`>= ${first}::date`
  for (;;) {
    const days = sql`user_id = ${person.userId} and ${dayColumn} ${from} and ${dayColumn} < ${before}::date`
    const rows = await readRows(db, person.texts, days, batchSize)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows.flatMap((row) => decrypted(person, row) ?? [])
    from = sql`> ${last.day}::date`
  }
}

/** A text as it is stored. */
interface DayRow extends Record<string, unknown> {
  userId: string
  day: string
  content: Buffer
  keyId: string | null
  updatedAt: string
}

const fieldsOf = (dayColumn: SQLWrapper) =>
  sql`user_id as "userId", ${dayColumn} as day, content, key_id as "keyId", updated_at as "updatedAt"`

/** The next rows that match, in the order of their key; fewer when their texts are long. */
async function readRows(db: Db, texts: DayTexts, isSo: SQL, limit: number): Promise<DayRow[]> {
  const { table, dayColumn } = namesOf(texts)
  const inOrder = sql`order by user_id, ${dayColumn}`
  const { rows } = await db.execute<DayRow>(sql`
    select ${fieldsOf(dayColumn)} from (
      select *, sum(size) over (${inOrder}) - size as before
      from (select * from ${table} where ${isSo} ${inOrder} limit ${limit}) as next
    ) as counted where before < ${batchBytes} ${inOrder}`)
  return rows
}

function decrypted(
  { texts, vault }: PersonTexts,
  { userId, day, updatedAt, ...encrypted }: DayRow,
): DayText | undefined {
  const content = vault.decryptOrLog(encrypted, { kind: texts.kind, userId, key: day })
  return content === undefined ? undefined : { day, content, updatedAt }
}

/** All texts of a person. No save can come after them: it would need the row of the person, who is locked. */
export async function removeDayTexts(db: Db, texts: DayTexts, userId: string): Promise<void> {
  await db.execute(sql`delete from ${namesOf(texts).table} where user_id = ${userId}`)
}

const namesOf = ({ table, day }: DayTexts) => ({
  table: sql.identifier(table),
  dayColumn: sql.identifier(day),
})
