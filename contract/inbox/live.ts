import type { Friend } from '#contract/friends/friend.ts'
import type { Acceptance } from '#contract/invitations/invitation.ts'
import type { TopicKind } from '#contract/live/topics.ts'
import type { DirectMessage } from '#contract/messages/message.ts'
import type { Room } from '#contract/rooms/room.ts'

/** What each event for a person carries, as JSON in its `data`. All devices of the person receive it. */
export interface InboxEvents {
  /** A message to the person, or by the person. */
  message: DirectMessage
  /** A message that is too long for the stream, without its text. The page fetches the conversation. */
  'message.long': Pick<DirectMessage, 'id' | 'sender_id' | 'created_at'> & { friendUserId: string }
  'message.deleted': { id: string; friendUserId: string }
  /** The person has read messages of a friend on some device. */
  'messages.read': { friendUserId: string; unreadCount: number }
  'friend.added': AddedFriend
  /** The person or a friend has ended their friendship, and its messages are deleted. */
  'friend.removed': { friendUserId: string }
  /**
   * The person has blocked or unblocked somebody on some device, or the account of a friend was deleted: the friends,
   * messages and counts must be fetched again.
   */
  'friends.changed': Record<string, never>
  /** Somebody followed an invitation link of the person, and waits for an answer. */
  'invitation.accepted': Acceptance
  /** The person is a member of a new private room, because a friend has invited them. */
  'room.invited': Room
  /** An admin has approved posts of the person. */
  'post.approved': ApprovedPosts
  /**
   * An admin has hidden posts of the person, or shown them again. A waiting post is set aside, or returns to the queue. The
   * reason stands in the list of own posts.
   */
  'post.hidden': DecidedPosts
  'post.shown': DecidedPosts
  /** Others have written in a room of the person; never stored. `writtenAt`: when they wrote their newest passage. */
  'room.written': { roomId: string; roomName: string; writtenAt: string }
}

export interface AddedFriend extends Friend {
  /** When the friend added the person, by the clock of the database; null when the person added the friend. */
  addedByFriendAt: string | null
}

export interface ApprovedPosts {
  /** One of the posts. */
  id: string
  /** The beginning of its text. */
  beginning: string
  publishedAt: string
  /** How many posts of the person were approved together. */
  count: number
}

export interface DecidedPosts {
  /** One of the posts. */
  id: string
  /** The beginning of its text. */
  beginning: string
  /** At the decision. All posts of one event have the same. */
  status: 'pending' | 'published'
  /** The author finds a reason in the list of own posts. */
  hasReason: boolean
  decidedAt: string
  /** How many posts of the person were decided about together. */
  count: number
}

/** The inbox of a person as a topic of the live stream. Its id is the id of the person. */
export const inboxTopics: TopicKind<InboxEvents> = {
  name: 'inbox',
  max: 1,
  events: {
    message: true,
    'message.long': true,
    'message.deleted': true,
    'messages.read': true,
    'friend.added': true,
    'friend.removed': true,
    'friends.changed': true,
    'invitation.accepted': true,
    'room.invited': true,
    'post.approved': true,
    'post.hidden': true,
    'post.shown': true,
    'room.written': true,
  },
  // A stream carries the inbox of its own person only.
  idField: null,
  states: [],
}
