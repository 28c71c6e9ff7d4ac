import { type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import type { InboxEvents } from '#contract/inbox/live.ts'
import type { DirectMessage } from '#contract/messages/message.ts'
import type { Vault } from '#server/features/day-texts/index.ts'
import { isBlockBetween, isUnblocked, isUnblockedPair } from '#server/features/friends/index.ts'
import { afterAllPositions } from '#server/platform/database/keyset.ts'
import { arrayParameter, type Db, executePrepared, perHandle } from '#server/platform/database/pool.ts'
import { textIdOf, toDirectMessage } from './add-message.ts'

/** A row of `direct_messages`, with the receiver from the friendship. */
interface StoredMessage extends Record<string, unknown> {
  id: string
  position: number
  senderId: string
  receiverId: string
  content: Buffer
  keyId: string | null
  diaryDate: string | null
  createdAt: string
}

const storedFields = sql`messages.id, messages.position, messages.sender_id as "senderId",
  case when messages.sender_id = friendships.low_id then friendships.high_id else friendships.low_id end as "receiverId",
  messages.content, messages.key_id as "keyId", messages.diary_date as "diaryDate", messages.created_at as "createdAt"`

/** Returns undefined and logs an error when the message is damaged. */
function decryptMessage(vault: Vault, stored: StoredMessage): DirectMessage | undefined {
  const { id, senderId } = stored
  const content = vault.decryptOrLog(stored, textIdOf({ senderId, id }))
  return content === undefined ? undefined : toDirectMessage({ ...stored, content })
}

/**
 * A page ends with the message that reaches this number of stored bytes. Control characters are six times as long in the
 * answer, which is written in one turn of the event loop (S51).
 */
const pageBytes = 512 * 1024

export interface MessagePage {
  /** Newest first. */
  messages: DirectMessage[]
  /** The cursor of the next page, which has older messages; undefined on the last page. */
  nextBefore: number | undefined
}

/**
 * The newest messages of a conversation before a position. Empty when the two are not friends or one has blocked the other.
 * Skips damaged messages.
 */
export async function findMessagePage(
  db: Db,
  vault: Vault,
  [oneId, otherId]: readonly [string, string],
  { limit, before = afterAllPositions }: { limit: number; before?: number | undefined },
): Promise<MessagePage> {
  vault.refuseIfLocked()
  const newestFirst = sql`order by messages.position desc`
  const page = sql`
    select *, exists (select 1 from direct_messages older
      where older.friendship_id = page."friendshipId" and older.position < page.position) as "hasOlder"
    from (
      select ${storedFields}, friendships.id as "friendshipId",
        sum(octet_length(messages.content)) over (${newestFirst}) - octet_length(messages.content) as bytes_before
      from friendships join lateral (
        select * from direct_messages
        where friendship_id = friendships.id and position < ${before}::int
        order by position desc limit ${limit}
      ) messages on true
      where ${isUnblockedPair(oneId, otherId)}
    ) page
    where bytes_before < ${pageBytes}::int
    order by position desc`
  const rows = await executePrepared<StoredMessage & { hasOlder: boolean }>(
    db,
    'select_newest_messages',
    page,
  )
  const oldest = rows.at(-1)
  return {
    messages: rows.flatMap((row) => decryptMessage(vault, row) ?? []),
    nextBefore: oldest?.hasOlder ? oldest.position : undefined,
  }
}

/** A condition: the person is one of the two friends, and neither has blocked the other. */
const mayBeReadBy = (personId: SQLWrapper): SQL =>
  sql`${personId} in (friendships.low_id, friendships.high_id) and ${isUnblocked}`

/** Asks for the messages with these ids that the person may read. */
export interface MessagesRequest {
  personId: string
  ids: readonly string[]
}

/** `findMessages` returns no further messages of a request once their texts reach this number of bytes (R11). */
const foundBytes = 32 * 1024

/**
 * The messages of each request in the order of its `ids`; undefined for a message that the person may not read, that is
 * damaged, or that was encrypted with another key. Returns only the first of them when they are long (`foundBytes`). One
 * statement reads the messages of all requests.
 */
export async function findMessages(
  db: Db,
  vault: Vault,
  requests: readonly MessagesRequest[],
): Promise<Map<MessagesRequest, (DirectMessage | undefined)[]>> {
  const asked = requests.flatMap(({ personId, ids }, request) => ids.map((id) => ({ request, personId, id })))
  const rows = vault.isLocked
    ? []
    : await selectMessages(db).execute({
        requests: asked.map(({ request }) => request),
        personIds: asked.map(({ personId }) => personId),
        ids: asked.map(({ id }) => id),
        keyId: vault.cipher.keyId,
      })
  const found = Map.groupBy(rows, ({ request }) => requests[request]!)
  return new Map(
    requests.map((request) => {
      const ofRequest = found.get(request) ?? []
      const byId = new Map(ofRequest.map((row) => [row.id, row]))
      const last = ofRequest.find(({ isLast }) => isLast)
      const ids = last === undefined ? request.ids : request.ids.slice(0, request.ids.indexOf(last.id) + 1)
      return [request, ids.map((id) => byId.get(id)).map((row) => row && decryptMessage(vault, row))]
    }),
  )
}

const selectMessages = perHandle((db) => {
  const asked = sql`unnest(${arrayParameter('requests', 'int')}, ${arrayParameter('personIds', 'text')}, ${arrayParameter('ids', 'uuid')}) with ordinality as asked (request, person_id, message_id, ordinal)`
  const maxBytes = sql.raw(String(foundBytes))
  return db
    .select({
      request: sql<number>`request`,
      isLast: sql<boolean>`bytes >= ${maxBytes}`,
      id: sql<string>`id`,
      position: sql<number>`position`,
      senderId: sql<string>`"senderId"`,
      receiverId: sql<string>`"receiverId"`,
      content: sql<Buffer>`content`,
      keyId: sql<string | null>`"keyId"`,
      diaryDate: sql<string | null>`"diaryDate"`,
      createdAt: sql<string>`"createdAt"`,
    })
    .from(
      sql`(
        select ${storedFields}, asked.request,
          sum(octet_length(messages.content)) over (partition by asked.request order by asked.ordinal) as bytes
        from ${asked}
        join direct_messages messages on messages.id = asked.message_id
        join friendships on friendships.id = messages.friendship_id
        where ${mayBeReadBy(sql`asked.person_id`)} and (messages.key_id is null or messages.key_id = ${sql.placeholder('keyId')}::text)
      ) found`,
    )
    .where(sql`bytes - octet_length(content) < ${maxBytes}`)
    .prepare('select_messages')
})

/** The messages without their texts, in the order of `ids`; undefined for a message that the person may not read. */
export async function findMessagesWithoutText(
  db: Db,
  personId: string,
  ids: readonly string[],
): Promise<(MessageWithoutText | undefined)[]> {
  const { rows } = await db.execute<MessageWithoutText>(sql`
    select messages.id, messages.sender_id, messages.created_at,
      case when low_id = ${personId} then high_id else low_id end as "friendUserId"
    from direct_messages messages join friendships on friendships.id = messages.friendship_id
    where messages.id = any(${sql.param(ids)}::uuid[]) and ${mayBeReadBy(sql`${personId}`)}`)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => byId.get(id))
}

type MessageWithoutText = InboxEvents['message.long'] & Record<string, unknown>

interface FoundMessage extends Record<string, unknown> {
  friendshipId: string
  position: number
  senderId: string
  receiverId: string
}

/** Returns undefined for a message of other people or of a blocked friend. */
export async function findMessageAndLockFriendship(
  db: Db,
  personId: string,
  id: string,
): Promise<FoundMessage | undefined> {
  const { rows } = await db.execute<FoundMessage>(sql`
    with friendship as (
      select friendships.* from friendships
      where id = (select friendship_id from direct_messages where id = ${id}::uuid)
        and ${personId} in (low_id, high_id) and not ${isBlockBetween(sql`low_id`, sql`high_id`)}
      for no key update
    )
    select friendship.id as "friendshipId", position, sender_id as "senderId",
      case when sender_id = low_id then high_id else low_id end as "receiverId"
    from direct_messages join friendship on friendship.id = friendship_id
    where direct_messages.id = ${id}::uuid`)
  return rows[0]
}

/**
 * Deletes a message that `findMessageAndLockFriendship` found, unless another call has just deleted it. Returns whether
 * this call deleted the message. Lowers the unread count of the receiver when the message was unread, and sets the time of
 * the newest message.
 */
export async function removeMessage(db: Db, { friendshipId, position }: FoundMessage): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    with removed as (
      delete from direct_messages where friendship_id = ${friendshipId}::uuid and position = ${position}::int
      returning friendship_id, position, sender_id
    )
    update friendships set
      last_message_at = (
        select created_at from direct_messages left_over
        where left_over.friendship_id = friendships.id and left_over.position <> removed.position
        order by left_over.position desc limit 1
      ),
      low_unread_count = low_unread_count - (sender_id = high_id and position > low_read_position)::int,
      high_unread_count = high_unread_count - (sender_id = low_id and position > high_read_position)::int
    from removed where friendships.id = friendship_id`)
  return rowCount === 1
}

/**
 * Marks the messages up to a position as read. An older position changes nothing. Returns the number of messages of the
 * friend that stay unread, and whether anything changed. Call `findMessageAndLockFriendship` first.
 */
export async function markReadUpTo(
  db: Db,
  readerId: string,
  { friendshipId, position }: FoundMessage,
): Promise<{ unreadCount: number; isChanged: boolean }> {
  const { rows } = await db.execute<{ unreadCount: number; isChanged: boolean }>(sql`
    with own as (
      select id, low_id = ${readerId} as is_low,
        case when low_id = ${readerId} then low_read_position else high_read_position end as read_position,
        case when low_id = ${readerId} then low_unread_count else high_unread_count end as unread_count
      from friendships where id = ${friendshipId}::uuid
    ),
    changed as (
      update friendships set
        low_read_position = case when is_low then ${position}::int else low_read_position end,
        high_read_position = case when is_low then high_read_position else ${position}::int end,
        low_unread_count = case when is_low then left_unread else low_unread_count end,
        high_unread_count = case when is_low then high_unread_count else left_unread end
      from own, lateral (
        select count(*)::int as left_unread from direct_messages
        where friendship_id = own.id and position > ${position}::int and sender_id <> ${readerId}
      ) counted
      where friendships.id = own.id and ${position}::int > own.read_position
      returning left_unread
    )
    select coalesce((select left_unread from changed), unread_count) as "unreadCount",
      exists (select 1 from changed) as "isChanged"
    from own`)
  return rows[0]!
}
