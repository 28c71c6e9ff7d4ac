import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { listFriends } from '#contract/friends/endpoints.ts'
import type { Friend, ListedFriend } from '#contract/friends/friend.ts'
import { lastMessageOf } from '#contract/messages/beginning.ts'
import type { DirectMessage } from '#contract/messages/message.ts'
import { queryKeyOf } from '#web/lib/api.ts'
import { readAgain } from '#web/lib/read-again.ts'

/** Applies events of the stream and answers of calls to the cached friends. */
export function useFriendsCache() {
  const client = useQueryClient()
  return {
    /** Adds a friend, or replaces what is known of one. */
    add: (friend: Friend) =>
      change(client, (friends) => [
        ...friends.filter(({ id }) => id !== friend.id),
        { ...unwritten, ...friends.find(({ id }) => id === friend.id), ...friend },
      ]),
    /** Removes a friend who is no friend any more. */
    remove: (friendId: string) => change(client, (friends) => friends.filter(({ id }) => id !== friendId)),
    lastMessageAt: (friendId: string) =>
      client.getQueryData<ListedFriend[]>(queryKey)?.find(({ id }) => id === friendId)?.lastMessageAt,
    setUnread: (friendId: string, unreadCount: number) =>
      change(client, (friends) =>
        friends.map((friend) => (friend.id === friendId ? { ...friend, unreadCount } : friend)),
      ),
    /** Notes a message of the conversation with a friend. The same message may be noted twice. */
    noteMessage: (message: NotedMessage) =>
      change(client, (friends) => friends.map((friend) => withMessage(friend, message))),
  }
}

type NotedMessage = Omit<DirectMessage, 'id' | 'diary_date'>

/** A friend without messages. */
export const unwritten = { unreadCount: 0, lastMessageAt: null, lastMessage: null }

/** Times of messages between two people only grow, so that an equal or earlier time is a message that was noted. */
function withMessage(friend: ListedFriend, message: NotedMessage): ListedFriend {
  const { sender_id, receiver_id, created_at } = message
  const isTheirs = sender_id === friend.id
  if (!isTheirs && receiver_id !== friend.id) return friend
  if (friend.lastMessageAt !== null && created_at <= friend.lastMessageAt) return friend
  return {
    ...friend,
    lastMessageAt: created_at,
    lastMessage: lastMessageOf(message, isTheirs ? receiver_id : sender_id),
    unreadCount: friend.unreadCount + (isTheirs ? 1 : 0),
  }
}

const queryKey = queryKeyOf(listFriends)

function change(client: QueryClient, to: (friends: ListedFriend[]) => ListedFriend[]) {
  client.setQueryData<ListedFriend[]>(queryKey, (friends) => friends && to(friends))
  // An answer that is on its way may be older than this change.
  void readAgain(client, { queryKey, fetchStatus: 'fetching' })
}
