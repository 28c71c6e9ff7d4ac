import * as z from 'zod/mini'
import { Friend } from '#contract/friends/friend.ts'
import { reportActions, reportKinds, reportOutcomes } from '#contract/abuse-reports/report.ts'
import { Acceptance } from '#contract/invitations/invitation.ts'
import { Room } from '#contract/rooms/room.ts'
import { Id, Instant } from '#contract/schemas.ts'

/** How many notifications of a person the server keeps until they are seen; the oldest are forgotten first. */
export const notificationsMax = 100
/** How long the server keeps a notification that is not seen. */
export const notificationDays = 90

export const AddedFriend = z.extend(Friend, {
  /** When the friend added the person, by the clock of the database; null when the person added the friend. */
  addedByFriendAt: z.nullable(Instant),
})
export type AddedFriend = z.infer<typeof AddedFriend>

/** Posts of one person that an admin decided about together. */
const decided = {
  /** One of the posts. */
  id: Id,
  beginning: z.string(),
  count: z.int(),
}

export const ApprovedPosts = z.object({ ...decided, publishedAt: Instant })
export type ApprovedPosts = z.infer<typeof ApprovedPosts>

export const DecidedPosts = z.object({
  ...decided,
  /** At the decision. All posts of one event have the same. */
  status: z.enum(['pending', 'published']),
  /** The author finds a reason in the list of own posts. */
  hasReason: z.boolean(),
  decidedAt: Instant,
})
export type DecidedPosts = z.infer<typeof DecidedPosts>

const erased = {
  id: Id,
  erasedAt: Instant,
  /** Why. Nothing else keeps it. */
  reason: z.nullable(z.string()),
}

export const ErasedPost = z.object({
  ...erased,
  writtenAt: Instant,
  /** 'version': only the new text, which waited for review. The published text stays. */
  what: z.enum(['post', 'version']),
})
export type ErasedPost = z.infer<typeof ErasedPost>

/** Of a passage, or of an aside. */
export const ErasedInRoom = z.object({ ...erased, room: Room })
export type ErasedInRoom = z.infer<typeof ErasedInRoom>

/** A report of the person that an admin has closed. The note of the admin is not part of it. */
export const ClosedReport = z.object({
  id: Id,
  kind: z.enum(reportKinds),
  outcome: z.enum(reportOutcomes),
  /** What was done with the thing and its author, when the admin did it by closing the report. */
  actions: z.array(z.enum(reportActions)),
  closedAt: Instant,
})
export type ClosedReport = z.infer<typeof ClosedReport>

export const Warning = z.object({
  id: Id,
  /** What of the person it is about. */
  about: z.enum(reportKinds),
  /** In the words of the admin. Nothing else keeps it. */
  text: z.string(),
  warnedAt: Instant,
})
export type Warning = z.infer<typeof Warning>

/** It is the turn of the person in a slow table. */
export const TurnReminder = z.object({
  room: Room,
  /** When the person was told: at the start of the turn, at half of it, or when a tenth of it was left. */
  told: z.enum(['start', 'half', 'last tenth']),
  toldAt: Instant,
  endsAt: Instant,
})
export type TurnReminder = z.infer<typeof TurnReminder>

/** The position of the event in the inbox of the person. */
export const NotificationId = z.string().check(z.regex(/^[1-9]\d{0,8}$/))

const notification = <Type extends string, Data extends z.ZodMiniType>(type: Type, data: Data) =>
  z.object({ id: NotificationId, type: z.literal(type), data })

/**
 * An event of the inbox that the person has not seen, as the live stream sends it. The live stream, the server and the page
 * take the kinds from this list: a kind that one of them leaves out does not compile.
 */
export const Notification = z.discriminatedUnion('type', [
  notification('friend.added', AddedFriend),
  // Somebody followed an invitation link of the person, and waits for an answer.
  notification('invitation.accepted', Acceptance),
  // The person is a member of a new private room, because a friend has invited them.
  notification('room.invited', Room),
  // The person may write in a slow table. Skipped once the turn is over.
  notification('turn.reminder', TurnReminder),
  notification('post.approved', ApprovedPosts),
  // An admin has hidden posts of the person, or shown them again. A waiting post is set aside, or returns to the queue, which a
  // scheduled post also enters at its time when it may not appear without review. The reason stands in the list of own posts.
  notification('post.hidden', DecidedPosts),
  notification('post.shown', DecidedPosts),
  // An admin has erased a text of the person for good.
  notification('post.erased', ErasedPost),
  notification('passage.erased', ErasedInRoom),
  notification('aside.erased', ErasedInRoom),
  // An admin has closed a report of the person.
  notification('report.closed', ClosedReport),
  notification('person.warned', Warning),
  // An admin has made a link that resets the passcode of the person.
  notification('password.reset-link', z.object({ madeAt: Instant })),
])
export type Notification = z.infer<typeof Notification>
/** The content of each kind of notification. */
export type NotificationContents = { [Each in Notification as Each['type']]: Each['data'] }
