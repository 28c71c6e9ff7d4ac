import { sql } from 'drizzle-orm'
import { friendName } from '#contract/friends/friend.ts'
import type { InboxEvents } from '#contract/inbox/live.ts'
import type { DecidedPosts, TurnReminder } from '#contract/inbox/notification.ts'
import { conversationPath, messagesPath } from '#contract/messages/paths.ts'
import { type AwayNotificationKind, awayNotificationKindOf } from '#contract/away-notifications/choices.ts'
import { roomPath } from '#contract/rooms/paths.ts'
import { isUnblocked, listFriendsByIds } from '#server/features/friends/index.ts'
import { type InboxEventLoaders, loadContents, type StoredEvent } from '#server/features/inbox/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { onOneLine } from '#server/platform/mail/send-mail.ts'

/** What a person who is away is told by a push or a mail. It never contains what somebody has written. */
export interface AwayNotification {
  kind: AwayNotificationKind
  title: string
  /** Without a name or a title that somebody has chosen: a push shows it on a locked screen. */
  publicTitle: string
  path: string
  /** Names the thing: several events of one conversation are one notification. */
  topic: string
  /** The person who has caused the notification; null for an admin. */
  causerId: string | null
  /** The events in the inbox of the person. */
  numbers: number[]
}

export const kindOfEvent = ({ name }: StoredEvent): AwayNotificationKind | undefined =>
  awayNotificationKindOf[name as keyof InboxEvents]

/**
 * The away notifications about events of a person, without what the person has seen or may not read any more. A loader would decrypt the
 * text of a message, so messages are read without it.
 */
export async function listAwayNotifications(
  { db, loaders }: { db: Db; loaders: InboxEventLoaders },
  personId: string,
  events: readonly StoredEvent[],
): Promise<AwayNotification[]> {
  const isMessage = (event: StoredEvent) => kindOfEvent(event) === 'messages'
  const unseen = await listUnseen(db, personId, events)
  const { contents } = await loadContents({ database: db, loaders }, personId, unseen)
  const found = [
    ...(await listMessageNotifications(db, personId, events.filter(isMessage))),
    ...contents.flatMap(({ number, name, content }) => {
      const told = toldOf(name, content)
      return told === undefined ? [] : [{ ...told, kind: awayNotificationKindOf[name]!, numbers: [number] }]
    }),
  ]
  return Array.from(Map.groupBy(found, ({ topic }) => topic).values(), (same) => ({
    ...same.at(-1)!,
    title: onOneLine(same.at(-1)!.title),
    numbers: same.flatMap(({ numbers }) => numbers),
  }))
}

/** The events that the bell still lists. */
async function listUnseen(db: Db, personId: string, events: readonly StoredEvent[]): Promise<StoredEvent[]> {
  const numbers = events.map(({ number }) => number)
  const { rows } = await db.execute<{ number: number }>(sql`
    select number from inbox_events
    where user_id = ${personId} and number = any(${sql.param(numbers)}::int[]) and unseen_since is not null`)
  const unseen = new Set(rows.map(({ number }) => number))
  return events.filter(({ number }) => unseen.has(number))
}

/** One notification for each friend with messages that the person has not read. */
async function listMessageNotifications(
  db: Db,
  personId: string,
  events: StoredEvent[],
): Promise<AwayNotification[]> {
  if (events.length === 0) return []
  const { rows } = await db.execute<{ id: string; senderId: string }>(sql`
    select direct_messages.id, sender_id as "senderId"
    from direct_messages join friendships on friendships.id = friendship_id
    where direct_messages.id = any(${sql.param(events.map(({ ids }) => ids['id']))}::uuid[])
      and ${personId} in (low_id, high_id) and sender_id <> ${personId} and ${isUnblocked}
      and position > case when low_id = ${personId} then low_read_position else high_read_position end`)
  const senderOf = new Map(rows.map(({ id, senderId }) => [id, senderId]))
  const friends = await listFriendsByIds(db, personId, [...new Set(senderOf.values())])
  return friends.map((friend) => ({
    kind: 'messages' as const,
    title: `${friendName(friend)} wrote to you`,
    publicTitle: 'A friend wrote to you',
    path: conversationPath(friend.id),
    topic: `conversation ${friend.id}`,
    causerId: friend.id,
    numbers: events.filter(({ ids }) => senderOf.get(ids['id']!) === friend.id).map(({ number }) => number),
  }))
}

type Told = Omit<AwayNotification, 'kind' | 'numbers'>

function toldOf<Name extends keyof InboxEvents>(name: Name, data: InboxEvents[Name]): Told | undefined {
  const write = writers[name] as ((content: InboxEvents[Name]) => Told | undefined) | undefined
  return write?.(data)
}

const ownPosts = '/settings#your-posts'

const writers: { [Name in keyof InboxEvents]?: (data: InboxEvents[Name]) => Told | undefined } = {
  'friend.added': (friend) => ({
    title: `${friendName(friend)} added you as a friend`,
    publicTitle: 'Somebody added you as a friend',
    path: conversationPath(friend.id),
    topic: `friend ${friend.id}`,
    causerId: friend.id,
  }),
  'invitation.accepted': ({ userId, name }) => ({
    title: `${name} accepted your invitation and waits for your answer`,
    publicTitle: 'Somebody accepted your invitation',
    path: messagesPath,
    topic: `acceptance ${userId}`,
    causerId: userId,
  }),
  'room.invited': ({ id, name, isActive, createdByUserId }) =>
    isActive
      ? {
          title: `You are invited to the room “${name}”`,
          publicTitle: 'You are invited to a room',
          path: roomPath(id),
          topic: `room ${id}`,
          causerId: createdByUserId,
        }
      : undefined,
  'turn.reminder': ({ room, told }) => ({
    ...turnTitles(room.name)[told],
    path: roomPath(room.id),
    topic: `turn ${room.id}`,
    causerId: null,
  }),
  'post.approved': ({ id, count }) =>
    ofAdmin({
      title: count === 1 ? 'Your post is published' : `${count} of your posts are published`,
      path: count === 1 ? `/posts/${id}` : '/dashboard',
      topic: `post ${id}`,
    }),
  'post.hidden': (post) => ofDecision(post, { pending: 'set aside', published: 'hidden' }),
  'post.shown': (post) => ofDecision(post, { pending: 'waiting for review', published: 'shown again' }),
  'post.erased': ({ id, what }) =>
    ofAdmin({
      title:
        what === 'post'
          ? 'An admin has erased a post of yours'
          : 'An admin has erased a new version of your post',
      path: ownPosts,
      topic: `erasure ${id}`,
    }),
}

const turnTitles = (name: string): Record<TurnReminder['told'], Pick<Told, 'title' | 'publicTitle'>> => ({
  start: { title: `Your turn in “${name}”`, publicTitle: 'Your turn in a room' },
  half: { title: `It is still your turn in “${name}”`, publicTitle: 'It is still your turn in a room' },
  'last tenth': { title: `Your turn in “${name}” ends soon`, publicTitle: 'Your turn in a room ends soon' },
})

const ofDecision = (
  { id, count, status }: DecidedPosts,
  words: Record<DecidedPosts['status'], string>,
): Told =>
  ofAdmin({
    title: count === 1 ? `Your post is ${words[status]}` : `${count} of your posts are ${words[status]}`,
    path: ownPosts,
    topic: `post ${id}`,
  })

const ofAdmin = (told: Pick<Told, 'title' | 'path' | 'topic'>): Told => ({
  ...told,
  publicTitle: told.title,
  causerId: null,
})
