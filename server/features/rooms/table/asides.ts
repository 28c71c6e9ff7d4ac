import { sql } from 'drizzle-orm'
import { asidesKeptMs, type Aside } from '#contract/rooms/table/asides.ts'
import { encryptedTable, isKeyCurrent, type Vault } from '#server/features/day-texts/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { type Slice, sliceOf } from '#server/platform/http/answers/paging.ts'
import { shownName } from '../passages.ts'
import { isOpen } from '../schema.ts'

/** Whether a member has a seat, also while the member is away. Those who wait have none. */
const hasSeat = sql`(room_members.table_state in ('ready', 'away') and room_members.removed_at is null)`

/** The end of a room whose asides are deleted. */
const keptSince = sql`app_now() - make_interval(secs => ${sql.raw(String(asidesKeptMs / 1000))})`

export async function isSeated(db: Db, roomId: string, personId: string): Promise<boolean> {
  const { rowCount } = await db.execute(
    sql`select 1 from room_members where room_id = ${roomId} and user_id = ${personId} and ${hasSeat}`,
  )
  return rowCount === 1
}

interface StoredAside extends Pick<Aside, 'id' | 'userId' | 'createdAt'>, Record<string, unknown> {
  content: Buffer
  keyId: string | null
}

/** The newest asides of a room before the one with an id. Damaged ones are left out. */
export async function findAsides(
  db: Db,
  vault: Vault,
  roomId: string,
  { limit, before }: { limit: number; before: string | undefined },
): Promise<Slice<Aside>> {
  vault.refuseIfLocked()
  const { rows } = await db.execute<StoredAside & Pick<Aside, 'authorName'>>(sql`
    select asides.id, asides.user_id as "userId", ${shownName} as "authorName", content, key_id as "keyId",
      asides.created_at as "createdAt"
    from room_asides asides join rooms on rooms.id = asides.room_id
    join users on users.id = asides.user_id
    join room_members on room_members.room_id = asides.room_id and room_members.user_id = asides.user_id
    where asides.room_id = ${roomId} and expires_at > ${keptSince}
      and ${before === undefined ? sql`true` : sql`asides.id < ${before}::uuid`}
    order by asides.id desc limit ${limit + 1}`)
  const slice = sliceOf(rows, limit, ({ id }) => id)
  return slice.with(
    slice.rows.flatMap(({ keyId, content: encrypted, ...aside }) => {
      const content = vault.decryptOrLog({ keyId, content: encrypted }, textIdOf(aside))
      return content === undefined ? [] : { ...aside, content }
    }),
  )
}

/** An aside at a table where the reader has a seat, while it can be read. Returns undefined for any other one, and for a damaged one. */
export async function findAsideToReport(db: Db, vault: Vault, readerId: string, id: string) {
  vault.refuseIfLocked()
  const { rows } = await db.execute<StoredAside>(sql`
    select asides.id, asides.user_id as "userId", content, key_id as "keyId", asides.created_at as "createdAt"
    from room_asides asides join rooms on rooms.id = asides.room_id
    join room_members on room_members.room_id = asides.room_id
    where asides.id = ${id}::uuid and expires_at > ${keptSince} and room_members.user_id = ${readerId} and ${hasSeat}`)
  const [stored] = rows
  if (stored === undefined) return undefined
  const content = vault.decryptOrLog(stored, textIdOf(stored))
  return content === undefined ? undefined : { authorId: stored.userId, content, createdAt: stored.createdAt }
}

/** Deletes an aside for good. Returns false when there is none. The caller has locked the author. */
export async function eraseAside(db: Db, { roomId, id }: { roomId: string; id: string }): Promise<boolean> {
  const { rowCount } = await db.execute(
    sql`delete from room_asides where room_id = ${roomId}::uuid and id = ${id}::uuid`,
  )
  return rowCount === 1
}

const textIdOf = ({ id, userId }: { id: string; userId: string }) => ({ kind: 'aside', userId, key: id })

/**
 * Adds an aside of somebody who has a seat while the room is open. Throws when the vault is locked. Returns undefined when
 * there is no seat, when the room has ended, or when the key was changed after this process started.
 */
export async function storeAside(
  db: Db,
  vault: Vault,
  aside: { id: string; roomId: string; userId: string; content: string },
): Promise<Aside | undefined> {
  vault.refuseIfLocked()
  const { roomId, ...said } = aside
  const { cipher } = vault
  const { rows } = await db.execute<Pick<Aside, 'authorName' | 'createdAt'> & Record<string, unknown>>(sql`
    with added as (
      insert into room_asides (room_id, id, user_id, content, key_id, created_at)
      select rooms.id, ${said.id}::uuid, user_id, ${cipher.encrypt(said.content, textIdOf(said))}::bytea, ${cipher.keyId}::text, app_now()
      from rooms join room_members on room_id = rooms.id
      where rooms.id = ${roomId} and ${isOpen} and user_id = ${said.userId} and ${hasSeat}
        and ${isKeyCurrent(vault)}
      returning room_id, user_id, created_at
    )
    select ${shownName} as "authorName", added.created_at as "createdAt"
    from added join users on users.id = added.user_id
    join room_members on room_members.room_id = added.room_id and room_members.user_id = added.user_id`)
  return rows[0] && { ...said, ...rows[0] }
}

const deletedAtOnce = 1000

/** Deletes the asides of rooms that ended long enough ago. There are only those of rooms that are open or have just ended. */
export async function purgeAsides(db: Db, signal: AbortSignal): Promise<void> {
  for (let count = deletedAtOnce; count === deletedAtOnce && !signal.aborted;) {
    const { rowCount } = await db.execute(sql`
      delete from room_asides where (room_id, id) in (
        select room_id, asides.id from room_asides asides join rooms on rooms.id = room_id
        where expires_at <= ${keptSince} limit ${deletedAtOnce}::int)`)
    count = rowCount ?? 0
  }
}

export const encryptedAsides = encryptedTable<'id' | 'user_id'>({
  name: 'room_asides',
  primaryKey: { room_id: 'uuid', id: 'uuid' },
  texts: { content: ({ id, user_id: userId }) => textIdOf({ id, userId }) },
})
