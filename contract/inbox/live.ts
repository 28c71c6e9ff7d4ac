import type { TopicKind } from '#contract/live/topics.ts'
import type { DirectMessage } from '#contract/messages/message.ts'
import type { NotificationContents } from './notification.ts'

/** What each event for a person carries, as JSON in its `data`. All devices of the person receive it. */
export interface InboxEvents extends NotificationContents {
  /** A message to the person, or by the person. */
  message: DirectMessage
  /** A message that is too long for the stream, without its text. The page fetches the conversation. */
  'message.long': Pick<DirectMessage, 'id' | 'sender_id' | 'created_at'> & { friendUserId: string }
  'message.deleted': { id: string; friendUserId: string }
  /** The person has read messages of a friend on some device. */
  'messages.read': { friendUserId: string; unreadCount: number }
  /** The person or a friend has ended their friendship, and its messages are deleted. */
  'friend.removed': { friendUserId: string }
  /**
   * The person has blocked or unblocked somebody on some device, or the account of a friend was deleted: the friends,
   * messages and counts must be fetched again.
   */
  'friends.changed': Record<string, never>
  /** The person has seen notifications on some device: the list of the bell must be fetched again. */
  'notifications.seen': Record<string, never>
  /** Others have written in a room of the person; never stored. `writtenAt`: when they wrote their newest passage. */
  'room.written': { roomId: string; roomName: string; writtenAt: string }
}

/**
 * The events that the server lists until the person has seen them. Messages and passages are not among them: a conversation
 * has its own unread count, and passages come all the time.
 */
export const listedEvents = [
  'friend.added',
  'invitation.accepted',
  'room.invited',
  'turn.reminder',
  'post.approved',
  'post.hidden',
  'post.shown',
  'post.erased',
  'passage.erased',
  'aside.erased',
  'report.closed',
  'person.warned',
  'password.reset-link',
] as const satisfies (keyof NotificationContents)[]

/** A kind of notification that the list leaves out does not compile here. */
type LeftOut = Exclude<keyof NotificationContents, (typeof listedEvents)[number]>
export type NothingLeftOut<Each extends never = LeftOut> = Each

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
    'turn.reminder': true,
    'post.approved': true,
    'post.hidden': true,
    'post.shown': true,
    'post.erased': true,
    'passage.erased': true,
    'aside.erased': true,
    'report.closed': true,
    'person.warned': true,
    'password.reset-link': true,
    'notifications.seen': true,
    'room.written': true,
  },
  // A stream carries the inbox of its own person only.
  idField: null,
  states: [],
}
