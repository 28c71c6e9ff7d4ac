import { type SQL, sql } from 'drizzle-orm'
import { lastMessageOf } from '#contract/messages/beginning.ts'
import type { LastMessage } from '#contract/messages/message.ts'
import type { Vault } from '#server/features/day-texts/index.ts'
import { pairOf } from '#server/features/friends/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { textIdOf } from './add-message.ts'

/** One list of friends decrypts no more stored bytes. */
const readBytes = 1024 * 1024

interface Found extends Record<string, unknown> {
  friendId: string
  id: string
  senderId: string
  /** Null for a diary entry, whose text no list shows. */
  content: Buffer | null
  keyId: string | null
}

/**
 * The newest message with each friend, by the id of the friend. The caller leaves blocked friends out. Without those behind the bound, in the order of
 * `friendIds`, and those that this process cannot decrypt.
 */
export async function findLastMessages(
  db: Db,
  vault: Vault,
  personId: string,
  friendIds: readonly string[],
): Promise<Map<string, LastMessage>> {
  if (vault.isLocked || friendIds.length === 0) return new Map()
  const { rows } = await db.execute<Found>(lastMessagesQuery(personId, friendIds, vault.cipher.keyId))
  return new Map(
    rows.flatMap(({ friendId, id, senderId, content, keyId }) => {
      const text = content === null ? '' : vault.decryptOrLog({ content, keyId }, textIdOf({ senderId, id }))
      if (text === undefined) return []
      const message_type = content === null ? 'diary' : 'text'
      return [[friendId, lastMessageOf({ sender_id: senderId, content: text, message_type }, personId)]]
    }),
  )
}

/** One statement for all friends: the newest message of each is the last of its conversation in the index. */
export function lastMessagesQuery(personId: string, friendIds: readonly string[], keyId: string | null): SQL {
  const pairs = friendIds.map((id) => pairOf(personId, id))
  return sql`
    select "friendId", id, "senderId", content, "keyId" from (
      select asked.friend_id as "friendId", message.id, sender_id as "senderId", key_id as "keyId",
        case when diary_date is null then content end as content,
        sum(case when diary_date is null then octet_length(content) else 0 end) over (order by ordinality) as bytes
      from unnest(${sql.param(friendIds)}::text[], ${sql.param(pairs.map(({ lowId }) => lowId))}::text[],
        ${sql.param(pairs.map(({ highId }) => highId))}::text[])
        with ordinality as asked (friend_id, low_id, high_id, ordinality)
      join friendships on friendships.low_id = asked.low_id and friendships.high_id = asked.high_id
      join lateral (
        select * from direct_messages where friendship_id = friendships.id order by position desc limit 1
      ) message on true
    ) found
    where bytes <= ${readBytes}::int and ("keyId" is null or "keyId" = ${keyId}::text)`
}
