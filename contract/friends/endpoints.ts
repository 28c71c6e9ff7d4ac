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

export const listFriends = endpoint({
  summary: 'Lists the friends of the caller.',
  description:
    'The friend with the newest message is first. Friends without messages come last, in the order of their ids. The first words of messages are read up to 1 MiB of stored texts; the friends behind have none.',
  method: 'GET',
  path: '/api/friends',
  query: Page(friendsMax),
  output: z.array(ListedFriend),
})

export const addFriend = endpoint({
  summary: 'Adds a friend on both sides.',
  description: 'A repeated call changes nothing.',
  method: 'POST',
  path: '/api/friends/add',
  input: z.object({ friendUserId: PersonId }),
  output: Friend,
  errors: ['CannotBeFriend', 'TooManyFriends'],
})

const userId = z.object({ userId: PersonId })

export const removeFriend = endpoint({
  summary: 'Ends a friendship and deletes its messages, on both sides.',
  method: 'DELETE',
  path: '/api/friends/:userId',
  params: userId,
  output: Done,
  errors: ['FriendNotFound'],
})

export const searchPeople = endpoint({
  summary: 'Finds registered people by the beginning of a name or by a whole email address.',
  description: 'Only a search by address answers with an `email`.',
  method: 'GET',
  path: '/api/users/search',
  query: z.object({ q: z.optional(AnyText(searchTextMaxLength)) }),
  output: z.array(Friend),
})

export const blockPerson = endpoint({
  summary: 'Blocks a person.',
  description:
    'Neither of the two can find the other, write to them, add or invite them. A friendship is hidden, and is there again after the block is removed.',
  method: 'POST',
  path: '/api/blocks',
  input: userId,
  output: Done,
  status: 201,
  errors: ['CannotBeBlocked', 'TooManyBlocks'],
})

export const unblockPerson = endpoint({
  summary: 'Removes a block.',
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

export const listBlockedPeople = endpoint({
  summary: 'Lists the people whom the caller has blocked, the newest block first.',
  method: 'GET',
  path: '/api/blocks',
  query: Page(blockedPeopleMax),
  output: z.array(BlockedPerson),
})
