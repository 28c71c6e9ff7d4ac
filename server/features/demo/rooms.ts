import { beginChain, passageBytes, roomMembers, roomPassages, rooms } from '#server/features/rooms/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { type IdSources, newId } from '#server/platform/ids.ts'
import { sampleRooms } from './content.ts'

const minuteMs = 60_000

/** Opens the sample rooms. `lookers` become members of the private rooms, so that they can see one. */
export async function addSampleRooms(
  db: Db,
  sources: IdSources,
  { people, lookers }: { people: readonly string[]; lookers: readonly string[] },
): Promise<void> {
  const now = sources.clock.now().getTime()
  for (const { members, passages, minutesAgo, ...room } of sampleRooms) {
    const id = newId(sources)
    const after = (minutes: number) => new Date(now - (minutesAgo - minutes) * minuteMs).toISOString()
    const createdAt = after(0)
    await db.insert(rooms).values({
      id,
      ...room,
      createdAt,
      expiresAt: after(room.duration),
      createdByUserId: people[members[0]!]!,
      lastPosition: passages.length,
      lastEvent: passages.length,
      storyBytes: passages.reduce((sum, { content }) => sum + Buffer.byteLength(content) + passageBytes, 0),
    })
    await beginChain(db, id)
    const memberIds = [...members.map((by) => people[by]!), ...(room.isPublic ? [] : lookers)]
    await db
      .insert(roomMembers)
      .values(memberIds.map((userId) => ({ roomId: id, userId, joinedAt: createdAt })))
    if (passages.length === 0) continue
    const writtenMinutes = Math.min(minutesAgo, room.duration)
    await db.insert(roomPassages).values(
      passages.map(({ by, content }, i) => ({
        id: newId(sources),
        roomId: id,
        position: i + 1,
        event: i + 1,
        userId: people[by]!,
        content,
        createdAt: after((writtenMinutes * (i + 1)) / (passages.length + 1)),
      })),
    )
  }
}
