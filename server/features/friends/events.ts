import { sql } from 'drizzle-orm'
import { addInboxEvents, type InboxEventLoaders } from '#server/features/inbox/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { listFriendsByIds } from './queries.ts'

/** Notifies both people that one of them, the adder, has added the other. */
export async function addFriendAddedEvents(
  db: Db,
  { adderId, friendId }: { adderId: string; friendId: string },
): Promise<void> {
  const { rows } = await db.execute<{ now: string }>(sql`select app_now() as now`)
  await addInboxEvents(db, 'friend.added', [
    { personId: adderId, otherPersonId: friendId, details: {} },
    { personId: friendId, otherPersonId: adderId, details: { addedByFriendAt: rows[0]!.now } },
  ])
}

/** Loads the contents of the events of friendships. */
export const friendEventLoaders = {
  'friend.added': async (db, personId, events) => {
    const friendIds = events.map(({ otherPersonId }) => otherPersonId!)
    const friends = new Map(
      (await listFriendsByIds(db, personId, friendIds)).map((friend) => [friend.id, friend]),
    )
    return events.map(({ otherPersonId, addedByFriendAt = null }) => {
      const friend = friends.get(otherPersonId!)
      return friend && { ...friend, addedByFriendAt }
    })
  },
  'friend.removed': async (_db, _personId, events) =>
    events.map(({ otherPersonId }) => ({ friendUserId: otherPersonId! })),
  'friends.changed': async (_db, _personId, events) => events.map(() => ({})),
} satisfies Partial<InboxEventLoaders>
