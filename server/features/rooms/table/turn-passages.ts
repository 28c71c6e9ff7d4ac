import { and, eq, lte, sql } from 'drizzle-orm'
import type { SentPassage } from '#contract/rooms/room.ts'
import { countWords } from '#contract/text.ts'
import { users } from '#server/features/account/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { type NewPassage, shownName } from '../passages.ts'
import { passageBytes, storyMaxBytes } from '../policy.ts'
import { roomMembers, roomPassages, rooms } from '../schema.ts'
import type { TurnRefusal } from './table.ts'
import { changeTable, instantOf } from './table-queries.ts'

interface TurnPassage extends NewPassage {
  turn: number | undefined
  next: string | undefined
}

/**
 * Adds the passage of a turn and passes the turn on. The caller opens the transaction, has locked the author, and rolls back
 * after a refusal.
 */
export async function addTurnPassage(
  db: Db,
  { turn, next, ...passage }: TurnPassage,
): Promise<{ passage: SentPassage; isEnd: boolean } | TurnRefusal | 'StoryFull'> {
  const { roomId, userId, content } = passage
  const words = countWords(content)
  const bytes = Buffer.byteLength(content) + passageBytes
  const ofTurn = { memberId: userId, number: turn, nextId: next }
  const changed = await changeTable(
    db,
    roomId,
    { type: 'passage', ...ofTurn, words },
    {
      lastPosition: sql`last_position + 1`,
      lastEvent: sql`last_event + 1`,
      storyBytes: sql`story_bytes + ${bytes}`,
    },
  )
  if (changed === undefined) throw new Error('A room with turns has a table.')
  if (typeof changed === 'string') return changed
  const [room] = await db
    .select({ position: rooms.lastPosition, event: rooms.lastEvent })
    .from(rooms)
    .where(and(eq(rooms.id, roomId), lte(rooms.storyBytes, storyMaxBytes)))
  if (room === undefined) return 'StoryFull'
  const createdAt = instantOf(changed.now)!
  await db.insert(roomPassages).values({ ...passage, ...room, createdAt, turn: changed.before.number, words })
  const [author] = await db
    .select({ authorName: shownName })
    .from(users)
    .innerJoin(roomMembers, and(eq(roomMembers.roomId, roomId), eq(roomMembers.userId, users.id)))
    .where(eq(users.id, userId))
  const { position } = room
  const authorName = author?.authorName ?? null
  const salt = passage.salt.toString('base64url')
  return {
    passage: { ...passage, salt, position, createdAt, words, authorName, isErased: false, folded: false },
    isEnd: changed.after.isEnded,
  }
}
