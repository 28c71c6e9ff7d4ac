import * as z from 'zod/mini'
import { displayName } from '#contract/account/display-name.ts'
import { LastMessage } from '#contract/messages/message.ts'
import { Instant, PersonId } from '#contract/schemas.ts'

export const friendsMax = 1000
export const blockedPeopleMax = 1000

/**
 * A registered person as the reader may see them. `email` is null unless this person has added the reader or written to
 * them (S40), or the reader searched for the whole address (S39).
 */
export const Friend = z.object({
  id: PersonId,
  username: z.string(),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  email: z.nullable(z.string()),
})
export type Friend = z.infer<typeof Friend>

export const ListedFriend = z.extend(Friend, {
  /** Messages of the friend that the reader has not read. */
  unreadCount: z.int(),
  /** Of the newest message in either direction. */
  lastMessageAt: z.nullable(Instant),
  /** Null without messages, and for an old message when the texts of newer ones reach the bound of an answer. */
  lastMessage: z.nullable(LastMessage),
})
export type ListedFriend = z.infer<typeof ListedFriend>

/** First plus last name, else the email, else 'User {id}'. */
export const friendName = (friend: Friend): string =>
  displayName({ ...friend, isAnonymous: false, anonymousId: null })

/** The bounds of a search text, in characters. */
export const searchTextMinLength = 2
export const searchTextMaxLength = 64
