import { useEffect } from 'react'
import { inboxTopics } from '#contract/inbox/live.ts'
import { countUnread } from '#contract/messages/endpoints.ts'
import { useFriendsCache } from '#web/features/friends/index.ts'
import { useInvitationsCache } from '#web/features/invitations/index.ts'
import { useNotifier } from '#web/features/notifications/index.ts'
import { useEndpoint } from '#web/lib/api.ts'
import { useInterval } from '#web/lib/interval.ts'
import { useLive } from '#web/lib/live/use-live.ts'
import { setUnreadCount } from '#web/lib/page-title.ts'
import { useMessagesCache } from './cache.ts'
import { useCheckSession } from './use-check-session.ts'

const pollMs = 30_000

/**
 * Keeps messages, friends and unread counts of the signed-in person up to date, whatever page is open: over the live
 * stream, or by polling every half minute.
 */
export function Inbox({ personId }: { personId: string }) {
  const unread = useEndpoint(countUnread, { staleTime: 0 })
  const friends = useFriendsCache()
  const cache = useMessagesCache()
  const invitations = useInvitationsCache()
  const checkSession = useCheckSession(personId)
  const count = unread.data?.unreadCount ?? 0
  useNotifier(personId)

  const { isLive } = useLive({
    kind: inboxTopics,
    ids: [personId],
    personId,
    // The session of this browser has ended, or is that of another person.
    onRefused: () => void checkSession(),
    onEvent: (event) => {
      switch (event.type) {
        case 'message': {
          const { sender_id, receiver_id } = event.data
          const isOwn = sender_id === personId
          cache.add(event.data, isOwn ? receiver_id : sender_id)
          return isOwn ? undefined : cache.countUnreadSoon()
        }
        case 'message.long':
          cache.refetchConversation(event.data.friendUserId)
          cache.refetchFriendsSoon()
          return cache.countUnreadSoon()
        case 'message.deleted':
          cache.remove(event.data.id, event.data.friendUserId)
          // Nobody but the server knows whether the message was unread.
          cache.refetchFriendsSoon()
          return cache.countUnreadSoon()
        case 'messages.read':
          friends.setUnread(event.data.friendUserId, event.data.unreadCount)
          return cache.countUnreadSoon()
        case 'friend.added':
          friends.add(event.data)
          return invitations.refetchFollowed()
        case 'friend.removed':
          friends.remove(event.data.friendUserId)
          cache.forgetConversation(event.data.friendUserId)
          invitations.refetchFollowed()
          return cache.countUnreadSoon()
        case 'invitation.accepted':
          return invitations.addWaiting(event.data)
        case 'ready':
          return event.isResumed ? cache.refetchFailed() : cache.refetchAll()
        case 'friends.changed':
        case 'reset':
          return cache.refetchAll()
      }
    },
  })
  useInterval(pollMs, () => {
    if (!isLive) cache.refetchAll()
  })

  useEffect(() => {
    setUnreadCount(count)
    return () => setUnreadCount(0)
  }, [count])
  return null
}
