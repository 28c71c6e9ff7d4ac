import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import {
  blockedPeopleMax,
  Friend,
  friendsMax,
  ListedFriend,
  searchTextMaxLength,
} from '#contract/friends/friend.ts'
import { AnyText, Done, Instant, Page, PersonId } from '#contract/schemas.ts'

export const foundPeopleMax = 20

/** The friend with the newest message first, then those without messages, in the order of their ids. */
export const listFriends = endpoint({
  method: 'GET',
  path: '/api/friends',
  query: Page(friendsMax),
  output: z.array(ListedFriend),
  errors: [],
})

/** Adds a friend on both sides. A repeated call changes nothing. */
export const addFriend = endpoint({
  method: 'POST',
  path: '/api/friends/add',
  input: z.object({ friendUserId: PersonId }),
  output: Friend,
  errors: ['CannotBeFriend', 'TooManyFriends'],
})

const userId = z.object({ userId: PersonId })

/** Ends a friendship and deletes its messages, on both sides. */
export const removeFriend = endpoint({
  method: 'DELETE',
  path: '/api/friends/:userId',
  params: userId,
  output: Done,
  errors: ['FriendNotFound'],
})

/**
 * Registered people whose name or username begins with the text, or whose email address it is. Only the second case
 * answers with an `email` (S39).
 */
export const searchPeople = endpoint({
  method: 'GET',
  path: '/api/users/search',
  query: z.object({ q: z.optional(AnyText(searchTextMaxLength)) }),
  output: z.array(Friend),
  errors: [],
})

/**
 * Blocks a person: neither of the two can find the other, write to them, add or invite them. A friendship is hidden, and
 * is there again after the block is removed.
 */
export const blockPerson = endpoint({
  method: 'POST',
  path: '/api/blocks',
  input: userId,
  output: Done,
  status: 201,
  errors: ['CannotBeBlocked', 'TooManyBlocks'],
})

export const unblockPerson = endpoint({
  method: 'DELETE',
  path: '/api/blocks/:userId',
  params: userId,
  output: Done,
  errors: ['NotBlocked'],
})

export const BlockedPerson = z.object({
  id: PersonId,
  username: z.string(),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  blockedAt: Instant,
})
export type BlockedPerson = z.infer<typeof BlockedPerson>

/** The people whom the caller has blocked, the newest block first. */
export const listBlockedPeople = endpoint({
  method: 'GET',
  path: '/api/blocks',
  query: Page(blockedPeopleMax),
  output: z.array(BlockedPerson),
  errors: [],
})
