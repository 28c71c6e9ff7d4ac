import type { Vault } from '#server/features/day-texts/index.ts'
import { countUnreadByFriend } from '#server/features/friends/index.ts'
import type { InboxEventLoaders } from '#server/features/inbox/index.ts'
import { batch } from '#server/platform/batch.ts'
import { perHandle } from '#server/platform/database/pool.ts'
import { findMessagesWithoutText, findMessages, type MessagesRequest } from './queries.ts'

/**
 * The people whose messages are read by one statement. Bounds the memory: each of them gets less than 100 KB of texts
 * (R11).
 */
const peoplePerQuery = 20

export function messageEventLoaders(vault: Vault) {
  const find = perHandle((db) =>
    batch((requests: MessagesRequest[]) => findMessages(db, vault, requests), {
      fits: (waiting) => waiting.length < peoplePerQuery,
    }),
  )
  return {
    message: async (db, personId, events) => (await find(db)({ personId, ids: idsOf(events) }))!,
    'message.long': (db, personId, events) => findMessagesWithoutText(db, personId, idsOf(events)),
    'message.deleted': async (_db, _personId, events) =>
      events.map(({ id, otherPersonId }) => ({ id: id!, friendUserId: otherPersonId! })),
    'messages.read': async (db, personId, events) => {
      const friendIds = events.map(({ otherPersonId }) => otherPersonId!)
      const counts = await countUnreadByFriend(db, personId, friendIds)
      return friendIds.map((friendUserId) => {
        const unreadCount = counts.get(friendUserId)
        return unreadCount === undefined ? undefined : { friendUserId, unreadCount }
      })
    },
  } satisfies Partial<InboxEventLoaders>
}

const idsOf = (events: { id?: string }[]) => events.map(({ id }) => id!)
