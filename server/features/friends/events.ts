import type { DomainEvents } from '#server/domain-events.ts'
import { type InboxEventLoaders, notifyPeople } from '#server/features/inbox/index.ts'
import { databaseNow } from '#server/platform/database/database-now.ts'
import type { Call } from '#server/platform/http/endpoints/handle.ts'
import { listFriendsByIds } from './queries.ts'

/** Notifies both people that one of them, the adder, has added the other. */
export async function notifyOfFriendship(
  call: Pick<Call, 'db' | 'afterCommit'>,
  domainEvents: DomainEvents,
  { adderId, friendId }: { adderId: string; friendId: string },
): Promise<void> {
  const addedByFriendAt = await databaseNow(call.db)
  await notifyPeople(call, domainEvents, 'friend.added', [
    { personId: adderId, otherPersonId: friendId },
    { personId: friendId, otherPersonId: adderId, details: { addedByFriendAt } },
  ])
}

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
