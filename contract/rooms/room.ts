import * as z from 'zod/mini'
import { turnRules } from '#contract/rooms/table/table.ts'
import { Id, Instant, PersonId } from '#contract/schemas.ts'

/** Minutes that a room may last. */
export const durations = [15, 30, 60, 120] as const
export const defaultDuration = 30

export const nameMaxLength = 100
export const descriptionMaxLength = 500
export const openingMaxLength = 300
/** The fewest and the most words that a room may have as its goal. */
export const wordGoals = { min: 100, max: 100_000 } as const
export const passageMaxLength = 5000
/** How many open rooms a person may have. */
export const openRoomsMax = 20
export const membersMax = 200

const listed = {
  id: Id,
  name: z.string(),
  description: z.string(),
  memberCount: z.int(),
  /** Whether the room has not ended, by the clock of the server. */
  isActive: z.boolean(),
  isPublic: z.boolean(),
  /** Minutes. */
  duration: z.int(),
  expiresAt: Instant,
  createdAt: Instant,
  turns: z.enum(turnRules),
  /** Whether the story stays folded until the end: readers get the passages of others without their text. */
  isFolded: z.boolean(),
  /** Null where everybody may write at any time. */
  turnSeconds: z.nullable(z.int()),
  /** Letters that a passage may have. Null where everybody may write at any time. */
  passageMax: z.nullable(z.int()),
  /** The text with which the story begins, before the first passage. Null without one, and for whoever may not read the room. */
  opening: z.nullable(z.string()),
  /** How many words the story is to have. Null without a goal. */
  wordGoal: z.nullable(z.int()),
  /** Whether nobody else can join. Also true for a reader whom the creator has removed or blocked. */
  isClosed: z.boolean(),
  isMember: z.boolean(),
}

/** A room in which a group writes one story until its time is up. */
export const Room = z.object({ ...listed, createdByUserId: z.nullable(PersonId) })
export type Room = z.infer<typeof Room>

export const ListedRoom = z.extend(Room, {
  /** The beginning of the newest passage. Null before the first passage, and in a private room. */
  newestPassage: z.nullable(z.string()),
})
export type ListedRoom = z.infer<typeof ListedRoom>

/** A slow table that has not ended, in the list of these. */
export const SlowRoom = z.extend(ListedRoom, {
  /** Whose turn it is. Null while nobody holds the turn, and for a reader who is no member. */
  turn: z.nullable(
    z.object({
      holderId: PersonId,
      /** Null unless the holder signs with the name. */
      holderName: z.nullable(z.string()),
      endsAt: Instant,
    }),
  ),
})
export type SlowRoom = z.infer<typeof SlowRoom>

/** A room in the search of the feed and in its detail dialog. */
export const FeedRoom = z.object({ ...listed, createdBy: z.nullable(PersonId) })
export type FeedRoom = z.infer<typeof FeedRoom>

/** A room that has ended, in the list of finished stories. */
export const FinishedRoom = z.object({
  ...listed,
  createdByUserId: z.nullable(PersonId),
  endedAt: Instant,
  lineCount: z.int(),
  contributorCount: z.int(),
})
export type FinishedRoom = z.infer<typeof FinishedRoom>

/** Stands in the place of a passage whose text an admin has erased. */
export const erasedMark = 'An admin has erased this passage.'
/** Stands in the place of a passage while an admin hides the texts of its author. */
export const hiddenMark = 'An admin or moderator has hidden this passage.'

export const RoomPassage = z.object({
  id: Id,
  /** `erasedMark` when the text was erased, and `hiddenMark` while it is hidden. */
  content: z.string(),
  /** Whether a mark stands in the place of the text, for good or while it is hidden. */
  isErased: z.boolean(),
  /** Whether the room is folded and open, and the passage is somebody else's. Its `content` is empty. */
  folded: z.boolean(),
  /** The number of words. Null where everybody may write at any time. */
  words: z.nullable(z.int()),
  /** Null after the author has deleted the account. */
  userId: z.nullable(PersonId),
  /** Null unless the author signs with the name. */
  authorName: z.nullable(z.string()),
  roomId: Id,
  createdAt: Instant,
  /** Counts 1, 2, 3 … in the room, in the order of the commits. */
  position: z.int(),
})
export type RoomPassage = z.infer<typeof RoomPassage>

/** The answer to the writer of a passage. */
export const SentPassage = z.extend(RoomPassage, {
  /** 16 random bytes as base64url, with which the text has its hash in the proof of the story. A server of before has none. */
  salt: z.optional(z.string()),
})
export type SentPassage = z.infer<typeof SentPassage>

/** The text that names the author of a passage. */
export const authorOf = ({ userId, authorName }: Pick<RoomPassage, 'userId' | 'authorName'>): string =>
  userId === null ? 'Deleted user' : (authorName ?? `User ${userId}`)
