import { and, eq, lte } from 'drizzle-orm'
import type { Room, RoomPassage } from '#contract/rooms/room.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { listNewestPassages } from '../passages.ts'
import { findRoom, waitForLastPassages } from '../queries.ts'
import { rooms } from '../schema.ts'
import { findStoryState, type StoryState } from './story-queries.ts'

/** A finished story that everybody may read. */
export interface PublicStory extends StoryState {
  /** As a visitor sees it. */
  room: Room
}

export async function findPublicStory(db: Db, id: string): Promise<PublicStory | undefined> {
  const room = await findRoom(db, null, id)
  if (room === undefined || !room.isPublic || room.isActive) return undefined
  await waitForLastPassages(db, id)
  return { room, ...(await findStoryState(db, id)) }
}

const sliceLength = 500

/**
 * All passages of a story in their order, with the version of the names in them; undefined, without reading one, when
 * `story_bytes` is above `maxBytes`.
 */
export async function readStory(
  db: Db,
  id: string,
  maxBytes: number,
): Promise<{ passages: RoomPassage[]; version: string } | undefined> {
  const isShort = and(eq(rooms.id, id), lte(rooms.storyBytes, maxBytes))
  if ((await db.$count(rooms, isShort)) === 0) return undefined
  // One snapshot, so that the version belongs to the names.
  return db.transaction(
    async (tx) => {
      const { version } = await findStoryState(tx, id)
      const passages: RoomPassage[] = []
      for (;;) {
        const before = passages[0]?.position
        const slice = await listNewestPassages(tx, null, { roomId: id, limit: sliceLength, before })
        passages.unshift(...slice.toReversed())
        if (slice.length < sliceLength) return { passages, version }
      }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}
