import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '#server/platform/database/pool.ts'
import { completeChain } from './credit/chain.ts'
import { lockRoom } from './queries.ts'
import { roomPassages } from './schema.ts'

interface PassagePlace {
  roomId: string
  id: string
}

/** The author of a passage, null after the account was deleted; undefined when there is no such passage. */
export async function findAuthorOfPassage(
  db: Db,
  { roomId, id }: PassagePlace,
): Promise<{ authorId: string | null } | undefined> {
  const [passage] = await db
    .select({ authorId: roomPassages.userId })
    .from(roomPassages)
    .where(and(eq(roomPassages.id, id), eq(roomPassages.roomId, roomId)))
  return passage
}

/**
 * Erases the text of a passage, which keeps its position and its author, and adds an event to its room. Returns false when
 * there is no such text. The caller has locked the author. The room is counted again: an author may have no text left.
 */
export async function erasePassageText(db: Db, { roomId, id }: PassagePlace): Promise<boolean> {
  await lockRoom(db, roomId)
  await completeChain(db, roomId)
  const { rowCount } = await db.execute(sql`
    with passage as (
      select octet_length(content) as bytes from room_messages
      where id = ${id}::uuid and room_id = ${roomId}::uuid and erasing_event is null for no key update
    ), room as (
      update rooms set last_event = last_event + 1, story_bytes = story_bytes - bytes, counted_event = null
      from passage where rooms.id = ${roomId}::uuid
      returning last_event
    )
    update room_messages set content = '', salt = null, erasing_event = last_event from room where room_messages.id = ${id}::uuid`)
  return rowCount === 1
}
