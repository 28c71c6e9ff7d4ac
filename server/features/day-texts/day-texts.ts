import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { isPersonGone } from '#server/platform/person-gone.ts'
import { justAfter } from '#server/platform/database/columns.ts'
import { type Db, executePrepared } from '#server/platform/database/pool.ts'
import { isInstant } from '#server/platform/http/answers/paging.ts'
import { Refused } from '#server/platform/http/refusal.ts'
import { findDiaryKeyId, isKeyCurrent, type Vault, vaultLocked } from './vault.ts'

/** One of the tables that hold one text per person and day. */
export interface DayTexts {
  kind: 'diary' | 'calendar'
  table: string
  /** Its column of the day. */
  day: string
  /** What all texts of a person may take together, in bytes of UTF-8. */
  maxBytes?: number
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

/** Saves the text of a day, unless somebody changed the day since the writer's base. */
export async function saveDayText(db: Db, person: PersonTexts, text: NewDayText): Promise<Saving> {
  const { texts, vault, userId } = person
  vault.refuseIfLocked()
  try {
    const saved = await put(db, person, text, texts.maxBytes && texts.maxBytes / 2)
    if (saved !== undefined) return { saved }
    // Near the limit a person saves one text at a time, so that the sum stays within the limit.
    return await db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${texts.kind} ${userId}`}, 0))`)
      const savedNow = await put(tx, person, text, texts.maxBytes)
      return savedNow === undefined ? await reasonAgainst(tx, person, text) : { saved: savedNow }
    })
  } catch (error) {
    if (isPersonGone(error)) throw new Refused('SignInRequired')
    throw error
  }
}

/**
 * One statement, so that of many saves at once none gets lost. It asks for the key too: a process that outlived
 * a change of the key writes nothing.
 */
async function put(
  db: Db,
  person: PersonTexts,
  text: NewDayText,
  maxBytes: number | undefined,
): Promise<DayText | undefined> {
  const { texts, vault, userId } = person
  const { day, content, base, writtenAt } = text
  // Only a day that has no text gets the time of writing.
  if (base === undefined && writtenAt !== undefined) {
    const added = await put(db, person, { ...text, base: null }, maxBytes)
    return added ?? put(db, person, { day, content }, maxBytes)
  }
  const { cipher } = vault
  const { table, dayColumn } = namesOf(texts)
  const size = Buffer.byteLength(content)
  const encrypted = cipher.encrypt(content, { kind: texts.kind, userId, key: day })
  const hasSpace =
    maxBytes === undefined
      ? sql`true`
      : sql`(select coalesce(sum(size), 0) from ${table} where user_id = ${userId} and ${dayColumn} <> ${day}::date) + ${size}::int <= ${maxBytes}::int`
  const maySave = sql`${isKeyCurrent(vault)} and ${hasSpace}`
  const later = justAfter(sql`stored.updated_at`)
  const way = base ? 'change' : base === null ? 'add' : 'overwrite'
  const [saved] = await executePrepared<{ updatedAt: string }>(
    db,
    `${way}_${texts.kind}`,
    base
      ? sql`
        update ${table} as stored set content = ${encrypted}::bytea, key_id = ${cipher.keyId}::text, size = ${size}::int,
          updated_at = greatest(app_now(), ${later})
        where user_id = ${userId} and ${dayColumn} = ${day}::date and updated_at = ${base}::timestamptz and ${maySave}
        returning updated_at as "updatedAt"`
      : sql`
        insert into ${table} as stored (user_id, ${dayColumn}, content, key_id, size, updated_at)
        select ${userId}::text, ${day}::date, ${encrypted}::bytea, ${cipher.keyId}::text, ${size}::int,
          least(app_now(), ${writtenAt ?? null}::timestamptz)
        where ${maySave}
        on conflict (user_id, ${dayColumn}) ${
          base === null
            ? sql`do nothing`
            : sql`do update set content = excluded.content, key_id = excluded.key_id, size = excluded.size,
                updated_at = greatest(excluded.updated_at, ${later})`
        }
        returning updated_at as "updatedAt"`,
  )
  return saved && { day, content, updatedAt: saved.updatedAt }
}

async function reasonAgainst(db: Db, person: PersonTexts, { day, base }: NewDayText): Promise<Saving> {
  if ((await findDiaryKeyId(db)) !== person.vault.cipher.keyId) throw vaultLocked()
  const current = await findDayText(db, person, day)
  // A text that was the base of a save is deleted with the account only.
  if (base && current.updatedAt === null) {
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
