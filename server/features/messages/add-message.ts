import { sql } from 'drizzle-orm'
import type { InboxEvents } from '#contract/inbox/live.ts'
import type { DirectMessage } from '#contract/messages/message.ts'
import { textKeyFact, type Vault } from '#server/features/day-texts/index.ts'
import { isUnblocked, pairOf } from '#server/features/friends/index.ts'
import { inboxEventCtes } from '#server/features/inbox/index.ts'
import { batchRows } from '#server/platform/database/batch-rows.ts'
import { apiInstant } from '#server/platform/database/columns.ts'
import { type Db, arrayParameter, perHandle } from '#server/platform/database/pool.ts'
import {
  claimsOf,
  type KeyClaim,
  keyClaimCtes,
  keyInUse,
} from '#server/platform/http/endpoints/idempotency.ts'
import { directMessages } from './schema.ts'

export const textIdOf = ({ senderId, id }: { senderId: string; id: string }) => ({
  kind: 'message',
  userId: senderId,
  key: id,
})

/**
 * For a message that is longer as JSON the stream sends `message.long` without the text. A control character has one byte
 * in the database and six in JSON.
 */
const streamedMaxBytes = 64 * 1024

interface NewMessage {
  id: string
  senderId: string
  receiverId: string
  content: string
  diaryDate: string | null
}

/**
 * Adds a message and its inbox events, and claims the key of the call. Throws when the vault is locked or the key is in use.
 * Returns undefined when the two are not friends, one has blocked the other, an account was deleted, or the key of the texts
 * was changed after this process started. Messages of different people that arrive at the same time are added by one
 * statement.
 */
export async function addMessage(
  db: Db,
  vault: Vault,
  message: NewMessage,
  claim: KeyClaim,
): Promise<DirectMessage | undefined> {
  vault.refuseIfLocked()
  const { id, senderId, receiverId, content } = message
  const { cipher } = vault
  const isLong = Buffer.byteLength(JSON.stringify(content)) > streamedMaxBytes
  const answer = toUndatedMessage(message)
  const added = await insertInBatch(db)({
    ...message,
    ...pairOf(senderId, receiverId),
    claim,
    answer,
    content: cipher.encrypt(content, textIdOf({ senderId, id })),
    keyId: cipher.keyId,
    eventName: isLong ? 'message.long' : 'message',
  })
  if (added === undefined) return undefined
  if (added.createdAt === null) throw keyInUse()
  return { ...answer, created_at: added.createdAt }
}

export const toDirectMessage = (message: NewMessage & { createdAt: string }): DirectMessage => ({
  ...toUndatedMessage(message),
  created_at: message.createdAt,
})

const toUndatedMessage = (message: NewMessage): Omit<DirectMessage, 'created_at'> => ({
  id: message.id,
  sender_id: message.senderId,
  receiver_id: message.receiverId,
  content: message.content,
  message_type: message.diaryDate === null ? 'text' : 'diary',
  diary_date: message.diaryDate,
})

interface MessageRow extends Omit<NewMessage, 'content'> {
  lowId: string
  highId: string
  content: Buffer
  keyId: string | null
  eventName: keyof InboxEvents
  claim: KeyClaim
  answer: Omit<DirectMessage, 'created_at'>
}

/** An added message, or a message whose key is in use. The latter has no time. */
interface AddedMessage {
  id: string
  createdAt: string | null
}

const insertInBatch = perHandle((db) =>
  batchRows(
    (messages: MessageRow[]) => insertMessages(db, messages),
    ({ content, senderId, receiverId }) => ({ content, unshared: [senderId, receiverId] }),
  ),
)

/**
 * Adds messages and their inbox events. No person sends or receives two of them. Returns those that were added, and those
 * whose key is in use.
 */
async function insertMessages(db: Db, messages: MessageRow[]): Promise<AddedMessage[]> {
  const all = <Field extends keyof MessageRow>(field: Field) => messages.map((message) => message[field])
  return insertStatement(db).execute({
    ids: all('id'),
    senderIds: all('senderId'),
    receiverIds: all('receiverId'),
    personIds: [...all('senderId'), ...all('receiverId')],
    lowIds: all('lowId'),
    highIds: all('highId'),
    contents: all('content'),
    keyIds: all('keyId'),
    diaryDates: all('diaryDate'),
    eventNames: all('eventName'),
    claims: claimsOf(messages),
  })
}

/**
 * Locks the people before their friendships, each in the order of the ids, as every transaction does, and then the keys. A
 * deleted person has no friendship, so the statement needs no rows of `people`. It counts them only to make Postgres lock them
 * first.
 */
const insertStatement = perHandle((db) => {
  const ctes = {
    given: sql`
      select * from unnest(${arrayParameter('ids', 'uuid')}, ${arrayParameter('senderIds', 'text')}, ${arrayParameter('receiverIds', 'text')},
        ${arrayParameter('lowIds', 'text')}, ${arrayParameter('highIds', 'text')}, ${arrayParameter('contents', 'bytea')}, ${arrayParameter('keyIds', 'text')},
        ${arrayParameter('diaryDates', 'date')}, ${arrayParameter('eventNames', 'text')})
        as given (message_id, sender_id, receiver_id, low_id, high_id, content, key_id, diary_date, event_name)`,
    people: sql`select id from users where id = any(${arrayParameter('personIds', 'text')}::text[]) order by id for key share`,
    locked: sql`
      select friendships.id as friendship_id, given.*, given.sender_id = given.low_id as is_low, last_message_at
      from given join friendships on friendships.low_id = given.low_id and friendships.high_id = given.high_id
      where ${isUnblocked} and (select count(*) from people) > 0
        and given.key_id is not distinct from
          (select value from instance_facts where name = ${sql.raw(`'${textKeyFact}'`)})
      order by friendships.id for no key update of friendships`,
    // Times within a conversation increase, so that their order is that of the positions.
    ready: sql`
      select dated.*, message_id as id, jsonb_build_object('created_at', ${apiInstant(sql`sent_at`)}) as answer
      from (select *, greatest(app_now(), last_message_at + interval '1 ms') as sent_at from locked offset 0) dated`,
    ...keyClaimCtes(),
    friendship: sql`
      update friendships set
        last_position = last_position + 1,
        last_message_at = sent_at,
        low_shows_email = low_shows_email or is_low,
        high_shows_email = high_shows_email or not is_low,
        low_unread_count = low_unread_count + (not is_low)::int,
        high_unread_count = high_unread_count + is_low::int
      from granted where friendships.id = friendship_id
      returning granted.*, last_position`,
    message: sql`
      insert into direct_messages (friendship_id, position, id, sender_id, content, key_id, diary_date, created_at)
      select friendship_id, last_position, message_id, sender_id, content, key_id, diary_date, sent_at
      from friendship
      returning id, created_at`,
    ...inboxEventCtes(
      sql`select person_id, event_name as name, null::text as other_person_id,
          jsonb_build_object('id', message_id) as details, false as is_listed,
          person_id = receiver_id as is_told_away
        from friendship, unnest(array[sender_id, receiver_id]) as person_id`,
    ),
  }
  return db
    .with(...Object.entries(ctes).map(([name, query]) => db.$with(name, {}).as(query)))
    .select({ id: sql<string>`id`, createdAt: sql`created_at`.mapWith(directMessages.createdAt) })
    .from(sql`(select id, created_at from message union all select id, null from taken) added`)
    .prepare('insert_messages')
})
