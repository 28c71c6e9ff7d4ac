import { answerOf, withArticle } from '#contract/abuse-reports/answer.ts'
import { friendName } from '#contract/friends/friend.ts'
import { type InboxEvents, listedEvents } from '#contract/inbox/live.ts'
import type { DecidedPosts, ErasedPost, Notification, TurnReminder } from '#contract/inbox/notification.ts'
import { conversationPath, messagesPath } from '#contract/messages/paths.ts'
import type { DirectMessage } from '#contract/messages/message.ts'
import { roomLink, roomPath } from '#contract/rooms/paths.ts'
import type { LiveEvent } from '#web/lib/live/use-live.ts'
import { timeOfDay } from '#web/lib/locale.ts'
import { firstLineOf } from './first-line.ts'

/** A reason to notify the person. */
export interface Occasion {
  /** Names the thing, such as a conversation: the same in all tabs, and for everything that happens to the thing. */
  id: string
  /** A text, or the id of the friend whose name is the title. */
  title: string | { friendId: string }
  body: string
  /** Why an admin has decided so. The list alone shows it, whole. */
  reason?: string | null
  /** By the clock of the server. */
  timestamp: string
  href: string
  /** Happens again and again: the person is told once until they have seen the thing. The list is kept up to date. */
  isFrequent?: boolean
  /** The page at `href` does not show the thing: the person has seen it when the list of the bell was open. */
  isSeenOnlyInList?: boolean
  /** The server keeps the notification until the person has seen it on some device. */
  isOnServer: boolean
}

/** The id of everything that a friend does: become a friend, and write. */
export const friendThingId = (friendId: string): string => `friend ${friendId}`
/** The id of everything that admins decide about a post. */
export const postThingId = (postId: string): string => `post ${postId}`

/**
 * What an event of the inbox notifies the person of; undefined for an event that is no reason to do so, such as an own
 * message. A private text is never part of it: others may see a desktop notification, also on a locked screen.
 */
export function occasionOf(event: LiveEvent<InboxEvents>, personId: string): Occasion | undefined {
  const content = contentOf(event, personId)
  return content && { ...content, isOnServer: listedEvents.some((listed) => listed === event.type) }
}

type Content = Omit<Occasion, 'isOnServer'>

function contentOf(event: LiveEvent<InboxEvents>, personId: string): Content | undefined {
  switch (event.type) {
    case 'message': {
      const isDiary = event.data.message_type === 'diary'
      return ofMessage(event.data, personId, isDiary ? diarySentence : 'Sent you a message.')
    }
    // Only a shared diary entry is so long.
    case 'message.long':
      return ofMessage(event.data, personId, diarySentence)
    case 'friend.added': {
      const { id, addedByFriendAt: timestamp } = event.data
      if (timestamp === null) return undefined
      const body = 'Added you as a friend.'
      return {
        id: friendThingId(id),
        title: friendName(event.data),
        body,
        timestamp,
        href: conversationPath(id),
      }
    }
    case 'invitation.accepted': {
      const { userId, name, acceptedAt } = event.data
      const body = 'Accepted your invitation and waits for your answer.'
      return { id: `acceptance ${userId}`, title: name, body, timestamp: acceptedAt, href: messagesPath }
    }
    case 'room.invited': {
      const { id, name, createdAt } = event.data
      const body = 'A friend has invited you to this room.'
      return { id: `room ${id}`, title: name, body, timestamp: createdAt, href: roomPath(id) }
    }
    case 'turn.reminder': {
      const { room, told, toldAt, endsAt } = event.data
      return {
        id: `room ${room.id}`,
        title: turnTitles[told](room.name),
        body: `You may write until ${timeOfDay(endsAt, { weekday: 'long', month: 'long', day: 'numeric' })}.`,
        timestamp: toldAt,
        href: roomPath(room.id),
      }
    }
    case 'room.written': {
      const { roomId, roomName, writtenAt } = event.data
      return {
        id: `room ${roomId}`,
        title: roomName,
        body: 'New passages in this room.',
        timestamp: writtenAt,
        href: roomPath(roomId),
        isFrequent: true,
      }
    }
    case 'post.approved': {
      const { id, count, beginning, publishedAt } = event.data
      const isOne = count === 1
      return {
        id: postThingId(id),
        title: isOne ? 'Your post is published' : `${count} of your posts are published`,
        body: isOne ? firstLineOf(beginning) : 'An admin or moderator has approved them.',
        timestamp: publishedAt,
        href: isOne ? `/posts/${id}` : '/dashboard',
        isSeenOnlyInList: !isOne,
      }
    }
    case 'post.hidden':
      return ofDecision(event.data, {
        pending: ['Your post was set aside', 'of your posts were set aside'],
        published: ['Your post is hidden', 'of your posts are hidden'],
      })
    case 'post.shown':
      return ofDecision(event.data, {
        pending: ['Your post waits for review', 'of your posts wait for review'],
        published: ['Your post is shown again', 'of your posts are shown again'],
      })
    case 'post.erased': {
      const { what, writtenAt } = event.data
      const day = new Date(writtenAt).toLocaleDateString('en-US', { dateStyle: 'long' })
      const text = what === 'post' ? 'A post' : 'A new version of a post'
      return {
        ...ofErasure(event.data),
        title: 'An admin has erased a text of yours',
        body: `${text} of ${day} is gone for good.`,
        href: '/settings#your-posts',
      }
    }
    case 'passage.erased':
      return {
        ...ofErasure(event.data),
        title: 'An admin has erased a passage of yours',
        body: `A mark stands in its place in “${event.data.room.name}”.`,
        href: roomLink(event.data.room),
      }
    case 'aside.erased':
      return {
        ...ofErasure(event.data),
        title: 'An admin has erased an aside of yours',
        body: `It is gone from the talk in “${event.data.room.name}”.`,
        href: roomLink(event.data.room),
      }
    case 'report.closed': {
      const { id, kind, closedAt } = event.data
      return {
        id: `report ${id}`,
        title: `Your report of ${withArticle(kind)} was answered`,
        body: answerOf(event.data),
        timestamp: closedAt,
        href: '/about',
        isSeenOnlyInList: true,
      }
    }
    case 'person.warned': {
      const { id, about, text, warnedAt } = event.data
      return {
        id: `warning ${id}`,
        title: 'An admin or moderator has warned you',
        body: about === 'person' ? 'It is about you.' : `It is about ${withArticle(about)} of yours.`,
        reason: text,
        timestamp: warnedAt,
        href: '/about',
        isSeenOnlyInList: true,
      }
    }
    case 'password.reset-link':
      return {
        id: 'password reset',
        title: 'An admin made a link to reset your passcode',
        body: 'If you did not ask for it, change your passcode now: that makes the link void.',
        timestamp: event.data.madeAt,
        href: '/settings',
        isSeenOnlyInList: true,
      }
    case 'message.deleted':
    case 'messages.read':
    case 'friend.removed':
    case 'friends.changed':
    case 'notifications.seen':
    case 'ready':
    case 'reset':
      return nothingOf(event)
    default:
      return contentOfUnknown(event)
  }
}

/** The person reads nothing of these events. An event that the server lists for the bell does not compile here. */
function nothingOf(_event: Exclude<LiveEvent<InboxEvents>, { type: Notification['type'] }>): undefined {}

/** A newer server may send an event that this page does not know. One that it should know is an error of the compiler. */
function contentOfUnknown(_event: never): undefined {}

/** The titles of a decision about one post and about many, by their status. */
type DecisionTitles = Record<DecidedPosts['status'], readonly [one: string, many: string]>

/** The reason is shown in the settings, which only the author can read. */
function ofDecision(
  { id, count, beginning, status, hasReason, decidedAt }: DecidedPosts,
  titles: DecisionTitles,
): Content {
  const [one, many] = titles[status]
  const whereToLook = hasReason ? 'The reason is in your settings.' : 'You see them in your settings.'
  return {
    id: postThingId(id),
    title: count === 1 ? one : `${count} ${many}`,
    body: count === 1 ? firstLineOf(beginning) : whereToLook,
    timestamp: decidedAt,
    href: '/settings#your-posts',
  }
}

const ofErasure = ({ id, reason, erasedAt }: Pick<ErasedPost, 'id' | 'reason' | 'erasedAt'>) => ({
  id: `erasure ${id}`,
  reason,
  timestamp: erasedAt,
  isSeenOnlyInList: true,
})

const turnTitles: Record<TurnReminder['told'], (roomName: string) => string> = {
  start: (name) => `Your turn in ${name}`,
  half: (name) => `It is still your turn in ${name}`,
  'last tenth': (name) => `Your turn in ${name} ends soon`,
}

const diarySentence = 'Shared a diary entry with you.'

function ofMessage(
  { sender_id, created_at }: Pick<DirectMessage, 'sender_id' | 'created_at'>,
  personId: string,
  body: string,
): Content | undefined {
  if (sender_id === personId) return undefined
  return {
    id: friendThingId(sender_id),
    title: { friendId: sender_id },
    body,
    timestamp: created_at,
    href: conversationPath(sender_id),
  }
}
