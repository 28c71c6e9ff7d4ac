import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { listBlockedPeople, listFriends } from '#contract/friends/endpoints.ts'
import { listNotifications } from '#contract/inbox/endpoints.ts'
import { getInvitation, listAcceptances } from '#contract/invitations/endpoints.ts'
import { countUnread, listMessages } from '#contract/messages/endpoints.ts'
import type { DirectMessage } from '#contract/messages/message.ts'
import { useFriendsCache } from '#web/features/friends/index.ts'
import { answersOf, queryKeyOf } from '#web/lib/api.ts'
import { readAgain } from '#web/lib/read-again.ts'
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
export const useMessagesCache = () => messagesCacheOf(useQueryClient(), useFriendsCache())

/** Not inside the hook: there React Compiler would memoize each function separately, which is more code for the page. */
function messagesCacheOf(client: QueryClient, friends: ReturnType<typeof useFriendsCache>) {
  return {
    add: (message: DirectMessage, friendId: string) => {
      if (knownOf(client, friendId))
        changeConversation(client, friendId, (known) => withMessage(known, message))
      // The answer that is on its way may be without the message.
      else void readAgain(client, { queryKey: conversationKeyOf(friendId) })
      friends.noteMessage(message)
    },
    remove: (id: string, friendId: string) => {
      deletedIds.add(id)
      changeConversation(client, friendId, (known) => withoutMessage(known, id))
    },
    refetchConversation: (friendId: string) =>
      void readAgain(client, { queryKey: conversationKeyOf(friendId) }),
    /** The messages of a removed friend are deleted. A conversation that is open reads that the person is no friend. */
    forgetConversation: (friendId: string) =>
      void client.resetQueries({ queryKey: conversationKeyOf(friendId) }),
    refetchAll: () => void readAgain(client, answersOf(ofInbox)),
    /** Reads again what could not be read last, for example by a poll while the server was gone. */
    refetchFailed: () =>
      void client.invalidateQueries({
        predicate: (query) => answersOf(ofInbox).predicate(query) && query.state.error !== null,
      }),
    refetchFriendsSoon: () => readSoon(client, queryKeyOf(listFriends)),
    countUnreadSoon: () => readSoon(client, queryKeyOf(countUnread)),
  }
}

const readAfterMs = 200
const willRead = new WeakSet<Query>()

/**
 * Reads an answer again that the page shows, once for several events in a row. The pause also lets the page mark a message as
 * read that has just arrived, before the unread messages are counted.
 */
function readSoon(client: QueryClient, queryKey: string[]) {
  const query = client.getQueryCache().find({ queryKey })
  if (query === undefined || willRead.has(query)) return
  willRead.add(query)
  setTimeout(() => {
    willRead.delete(query)
    void readAgain(client, { queryKey })
  }, readAfterMs)
}
