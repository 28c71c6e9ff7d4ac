import { type Query, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import {
  deleteMessage,
  listMessages,
  markRead,
  messagesMax,
  sendMessage,
} from '#contract/messages/endpoints.ts'
import type { DirectMessage } from '#contract/messages/message.ts'
import { useFriendsCache } from '#web/features/friends/index.ts'
import type { SavingTask } from '#web/features/saving/index.ts'
import { readStateOf, useAction } from '#web/lib/api.ts'
import { sendForPage } from '#web/lib/request.ts'
import { changeConversation, conversationKeyOf, deletedIds, knownOf, useMessagesCache } from './cache.ts'
import { type Conversation, type MessagePage, withEarlierPage, withNewestPage } from './conversation.ts'

const pageLength = 50

async function readPage(
  friendId: string,
  query: { limit: string; before?: string },
  signal?: AbortSignal,
): Promise<MessagePage> {
  const { items, nextBefore } = await sendForPage(listMessages, {
    params: { friendId },
    query,
    ...(signal && { signal }),
  })
  return { messages: items.filter(({ id }) => !deletedIds.has(id)), before: nextBefore }
}

const conversationQuery = (client: QueryClient, friendId: string) => ({
  queryKey: conversationKeyOf(friendId),
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const asked = knownOf(client, friendId)
    const known = asked?.at(-1)?.messages.length ?? 0
    const limit = Math.min(Math.max(known, pageLength), messagesMax)
    const answer = await readPage(friendId, { limit: String(limit) }, signal)
    return withNewestPage(knownOf(client, friendId), answer, asked)
  },
  // Comparing each message of a long conversation would take longer than drawing the new ones.
  structuralSharing: false,
})

/** Reads the newest messages with a friend whose conversation may be opened next. A failure shows when it is opened. */
export function usePreloadMessages(): (friendId: string) => void {
  const client = useQueryClient()
  return (friendId) => void client.prefetchQuery(conversationQuery(client, friendId))
}

/** Messages that were preloaded so recently are not read again when their conversation is opened. */
const preloadedMs = 2000

/**
 * An event of the stream adds its message to the cached ones, and then all of them look new. But messages may be missing whose events
 * this page did not receive. So a conversation that was changed in the cache is read again, whenever it was read.
 */
const staleTime = ({ state }: Query<Conversation>) => (state.dataUpdateCount === 1 ? preloadedMs : 0)

/** The newest messages with a friend, and the earlier ones that the reader has asked for since the conversation was opened. */
export function useConversation(friendId: string) {
  const client = useQueryClient()
  const query = useQuery({ ...conversationQuery(client, friendId), staleTime })
  const [isReadingEarlier, setReadingEarlier] = useState(false)
  const [hasEarlierFailed, setEarlierFailed] = useState(false)
  const before = query.data?.[0]?.before ?? null

  // A conversation that is opened again begins at its newest page.
  useEffect(
    () => () => void changeConversation(client, friendId, (known) => known.slice(-1)),
    [client, friendId],
  )

  const readEarlier = async (cursor: string) => {
    setReadingEarlier(true)
    setEarlierFailed(false)
    try {
      const page = await readPage(friendId, { limit: String(pageLength), before: cursor })
      // A refetch may have replaced the page before which these messages stand.
      changeConversation(client, friendId, (known) =>
        known[0]?.before === cursor ? withEarlierPage(known, page) : known,
      )
    } catch (failure) {
      console.error('Failed to load earlier messages', failure)
      setEarlierFailed(true)
    }
    setReadingEarlier(false)
  }
  return {
    ...readStateOf(query),
    isReadingEarlier,
    hasEarlierFailed,
    readEarlier: before === null ? null : () => readEarlier(before),
  }
}

/** All messages with a friend, the oldest first. They are read page by page, from the newest to the oldest. */
export async function readWholeConversation(
  friendId: string,
  { onProgress, signal }: SavingTask,
): Promise<DirectMessage[]> {
  const pages: MessagePage[] = []
  const query = { limit: String(messagesMax) }
  for (let before: string | null = ''; before !== null;) {
    const page: MessagePage = await readPage(friendId, { ...query, ...(before !== '' && { before }) }, signal)
    pages.unshift(page)
    before = page.before
    const count = pages.reduce((sum, { messages }) => sum + messages.length, 0)
    if (before !== null) onProgress(`${count.toLocaleString('en-US')} messages are read.`)
  }
  return pages.flatMap(({ messages }) => messages)
}

export const useSendMessage = () => useAction(sendMessage)
export const useDeleteMessage = () =>
  useAction(deleteMessage, {
    failure: 'Failed to delete a message',
    // Deleted on another device.
    doneBy: 'MessageNotFound',
  })

/** Marks the messages of a friend as read, up to a message. */
export function useMarkRead(friendId: string): (messageId: string) => Promise<void> {
  const { lastMessageAt, setUnread } = useFriendsCache()
  const { countUnreadSoon: count, refetchFriendsSoon } = useMessagesCache()
  const { attempt } = useAction(markRead, { failure: 'Failed to mark messages as read' })
  return async (messageId) => {
    const lastAtCall = lastMessageAt(friendId)
    const answer = await attempt({ input: { friendUserId: friendId, messageId } })
    if (!answer) return
    // The count of the answer may be without a message that arrived during the call.
    if (lastMessageAt(friendId) === lastAtCall) setUnread(friendId, answer.unreadCount)
    else refetchFriendsSoon()
    count()
  }
}
