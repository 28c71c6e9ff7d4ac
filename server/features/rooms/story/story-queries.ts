import { and, asc, eq, gt, sql, type SQLWrapper } from 'drizzle-orm'
import type { RoomPassage } from '#contract/rooms/room.ts'
import { hasHiddenTexts, users } from '#server/features/account/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { isWithheld, ofAuthor, shownContent, shownName } from '../passages.ts'
import { roomMembers, roomPassages, rooms } from '../schema.ts'

const pageSize = 500

/** The parts of a passage that are in a file. */
export type StoryPassage = Pick<
  RoomPassage,
  'userId' | 'authorName' | 'content' | 'isErased' | 'createdAt'
> & {
  /** Its part of the seal, as base64url; null outside of the chain. The salt of an erased passage is null. */
  proof: { textHash: string; who: string; salt: string | null } | null
}

const base64url = (bytes: SQLWrapper) => sql`translate(encode(${bytes}, 'base64'), '+/=', '-_')`
const { textHash, who, salt } = roomPassages
const proof = sql<StoryPassage['proof']>`case when ${who} is not null then json_build_object(
  'textHash', ${base64url(textHash)}, 'who', ${base64url(who)}, 'salt', ${base64url(salt)}) end`

/** All passages of a room in pages, in their order. */
export async function* listStoryPassages(db: Db, roomId: string): AsyncGenerator<StoryPassage[]> {
  for (let after = 0; ; after += pageSize) {
    // Positions have no gaps.
    const page = await db
      .select({
        userId: roomPassages.userId,
        authorName: shownName,
        content: shownContent,
        isErased: isWithheld,
        createdAt: roomPassages.createdAt,
        proof,
      })
      .from(roomPassages)
      .leftJoin(users, eq(users.id, roomPassages.userId))
      .leftJoin(roomMembers, ofAuthor)
      .where(and(eq(roomPassages.roomId, roomId), gt(roomPassages.position, after)))
      .orderBy(asc(roomPassages.position))
      .limit(pageSize)
    yield page
    if (page.length < pageSize) return
  }
}

export interface StoryState {
  /** Changes with the files of the story: when an author deletes the account or changes the signature, a passage is erased, or a suspension hides passages. */
  version: string
  /** The bytes of its passages, and some for each of them. */
  bytes: number
}

export async function findStoryState(db: Db, roomId: string): Promise<StoryState> {
  const names = sql<string>`md5(coalesce(json_agg(json_build_array(${users.id}, ${shownName}, ${hasHiddenTexts(users.id)}) order by ${users.id})::text, ''))`
  const [found] = await db
    .select({ lastEvent: rooms.lastEvent, bytes: rooms.storyBytes, names })
    .from(rooms)
    .leftJoin(roomMembers, eq(roomMembers.roomId, rooms.id))
    .leftJoin(users, eq(users.id, roomMembers.userId))
    .where(eq(rooms.id, roomId))
    .groupBy(rooms.id)
  return { version: `${found?.lastEvent} ${found?.names}`, bytes: found?.bytes ?? 0 }
}
