import * as z from 'zod/mini'
import { Friend } from '#contract/friends/friend.ts'
import { Id, Instant, PersonId } from '#contract/schemas.ts'

/** The open links of one person. */
export const openInvitationsMax = 10
/** The people who wait for the answer of one person. */
export const waitingAcceptancesMax = 50
export const invitationDays = 7
/** How long a person who followed a link waits for an answer. */
export const acceptanceDays = 30

/** An own link that is open. Its token is stored nowhere. */
export const Invitation = z.object({ id: Id, createdAt: Instant, expiresAt: Instant })
export type Invitation = z.infer<typeof Invitation>

/** A new link, with the token that is shown this once. */
export const NewInvitation = z.extend(Invitation, { token: z.string() })
export type NewInvitation = z.infer<typeof NewInvitation>

/** What a person who follows a link learns. */
export const FollowedInvitation = z.object({
  /** The name of the person who invites, never an email address. */
  inviterName: z.string(),
  /** `asked`: the reader has said yes, and the person who invites was asked. */
  relation: z.enum(['none', 'own', 'friend', 'asked']),
  /** The person who invites, once the reader is a friend of that person; null before. */
  friendId: z.nullable(PersonId),
  /** The open room into which the link leads, if it is public, or for a friend who may read it or comes into it by accepting; else null. */
  roomId: z.nullable(Id),
  expiresAt: Instant,
})
export type FollowedInvitation = z.infer<typeof FollowedInvitation>

/** A person who said yes to an own link and waits for the own answer. */
export const Acceptance = z.object({
  userId: PersonId,
  name: z.string(),
  acceptedAt: Instant,
})
export type Acceptance = z.infer<typeof Acceptance>

/** A person who followed a link, once both have said yes. */
export const ConfirmedFriend = z.extend(Friend, {
  /** The open room of the link, if the friend can read it. Null in the answer of a repeated call. */
  roomId: z.nullable(Id),
})
export type ConfirmedFriend = z.infer<typeof ConfirmedFriend>
