import type { Room, RoomPassage } from '#contract/rooms/room.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { listNewestPassages } from '../passages.ts'
import { findRoom, waitForLastPassages } from '../queries.ts'
import { findStoryVersion } from './story-queries.ts'

/** A finished story that everybody may read. */
export interface PublicStory {
  /** As a visitor sees it. */
  room: Room
  /** Changes with the names of the authors. */
  version: string
}

export async function findPublicStory(db: Db, id: string): Promise<PublicStory | undefined> {
  const room = await findRoom(db, null, id)
  if (room === undefined || !room.isPublic || room.isActive) return undefined
  await waitForLastPassages(db, id)
  return { room, version: await findStoryVersion(db, id) }
}

const pageSize = 500

/** All passages of a story in their order; undefined when their texts have more bytes. */
export async function readStory(db: Db, id: string, maxBytes: number): Promise<RoomPassage[] | undefined> {
  const passages: RoomPassage[] = []
  let bytes = 0
  for (;;) {
    const before = passages[0]?.position
    const page = await listNewestPassages(db, id, { limit: pageSize, before })
    bytes += page.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)
    if (bytes > maxBytes) return undefined
    passages.unshift(...page.toReversed())
    if (page.length < pageSize) return passages
  }
}
