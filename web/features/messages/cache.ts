import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { listBlockedPeople, listFriends } from '#contract/friends/endpoints.ts'
import { listNotifications } from '#contract/inbox/endpoints.ts'
import { getInvitation, listAcceptances } from '#contract/invitations/endpoints.ts'
import { countUnread, listMessages } from '#contract/messages/endpoints.ts'
import type { DirectMessage } from '#contract/messages/message.ts'
import { useFriendsCache } from '#web/features/friends/index.ts'
import { answersOf, queryKeyOf } from '#web/lib/api.ts'
import { type Conversation, withMessage, withoutMessage } from './conversation.ts'

export const conversationKeyOf = (friendId: string) => queryKeyOf(listMessages, { params: { friendId } })
export const knownOf = (client: QueryClient, friendId: string) =>
  client.getQueryData<Conversation>(conversationKeyOf(friendId))
export const changeConversation = (
  client: QueryClient,
  friendId: string,
  to: (known: Conversation) => Conversation,
) => client.setQueryData<Conversation>(conversationKeyOf(friendId), (known) => known && to(known))

/** Messages that were deleted while this page was open. An answer that was on its way may still have them. */
export const deletedIds = new Set<string>()

/** What the events of an inbox change. */
const ofInbox = [
  listFriends,
  listBlockedPeople,
  countUnread,
  listMessages,
  listAcceptances,
  getInvitation,
  listNotifications,
]

/** Applies events of the stream and answers of calls to the cached conversations. */
export function useMessagesCache() {
  const client = useQueryClient()
  const friends = useFriendsCache()
  return {
    add: (message: DirectMessage, friendId: string) => {
      changeConversation(client, friendId, (known) => withMessage(known, message))
      friends.noteMessage(message)
    },
    remove: (id: string, friendId: string) => {
      deletedIds.add(id)
      changeConversation(client, friendId, (known) => withoutMessage(known, id))
    },
    refetchConversation: (friendId: string) =>
      void client.invalidateQueries({ queryKey: conversationKeyOf(friendId) }),
    /** The messages of a removed friend are deleted. A conversation that is open reads that the person is no friend. */
    forgetConversation: (friendId: string) =>
      void client.resetQueries({ queryKey: conversationKeyOf(friendId) }),
    refetchAll: async () => {
      const filters = answersOf(ofInbox)
      // A first read that is under way goes on, although the server may have answered it before a change.
      const isReading = client.isFetching(filters) > 0
      await client.invalidateQueries(filters)
      if (isReading) await client.invalidateQueries(filters)
    },
    /** Reads again what could not be read last, for example by a poll while the server was gone. */
    refetchFailed: () =>
      void client.invalidateQueries({
        predicate: (query) => answersOf(ofInbox).predicate(query) && query.state.error !== null,
      }),
    refetchFriends: () => void client.invalidateQueries({ queryKey: queryKeyOf(listFriends) }),
    countUnreadSoon: () => countUnreadSoon(client),
  }
}

const countAfterMs = 200
const willCount = new WeakSet<QueryClient>()

/** Several events in a row make one request. A message that is read as soon as it arrives is not counted before. */
function countUnreadSoon(client: QueryClient) {
  if (willCount.has(client)) return
  willCount.add(client)
  setTimeout(() => {
    willCount.delete(client)
    void client.invalidateQueries({ queryKey: queryKeyOf(countUnread) })
  }, countAfterMs)
}
