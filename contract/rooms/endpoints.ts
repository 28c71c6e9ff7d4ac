import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import {
  descriptionMaxLength,
  durations,
  FeedRoom,
  FinishedRoom,
  passageMaxLength,
  nameMaxLength,
  Room,
  RoomPassage,
} from '#contract/rooms/room.ts'
import { Done, Id, Page, PersonId, Text } from '#contract/schemas.ts'

export const roomsMax = 200
export const passagesMax = 500
export const finishedRoomsMax = 1000
/** Finished rooms that our page asks for at once. */
export const finishedRoomsAtOnce = 24
export const invitedFriendsMax = 50

const params = z.object({ id: Id })

/** Created today, newest first. */
export const listRooms = endpoint({
  method: 'GET',
  path: '/api/zimmers/rooms',
  query: Page(roomsMax),
  output: z.array(Room),
  errors: [],
})

/** The same list for the feed, which says `createdBy`. */
export const listFeedRooms = endpoint({
  method: 'GET',
  path: '/api/zimmer-rooms',
  query: Page(roomsMax),
  output: z.array(FeedRoom),
  errors: [],
})

/** Created yesterday and not ended, newest first. */
export const listOpenRooms = endpoint({
  method: 'GET',
  path: '/api/zimmers/open',
  query: Page(roomsMax),
  output: z.array(Room),
  errors: [],
})

/** Ended ones, the public and the reader's own, the last to end first; `q` are beginnings of words of name and description. */
export const listFinishedRooms = endpoint({
  method: 'GET',
  path: '/api/zimmers/finished',
  query: z.extend(Page(finishedRoomsMax), { q: z.optional(z.string().check(z.maxLength(64))) }),
  output: z.array(FinishedRoom),
  errors: [],
})

export const getRoom = endpoint({
  method: 'GET',
  path: '/api/zimmers/:id',
  params,
  output: Room,
  errors: ['RoomNotFound'],
})

export const getRoomMembership = endpoint({
  method: 'GET',
  path: '/api/zimmers/:id/membership',
  params,
  output: z.object({ isMember: z.boolean() }),
  errors: ['RoomNotFound'],
})

/** The newest 500, by position. */
export const listPassages = endpoint({
  method: 'GET',
  path: '/api/zimmers/:id/messages',
  params,
  query: Page(passagesMax),
  output: z.array(RoomPassage),
  errors: ['RoomNotFound', 'PrivateRoom'],
})

export const createRoom = endpoint({
  method: 'POST',
  path: '/api/zimmers/create',
  input: z.object({
    name: Text(nameMaxLength, 'Please give the Z!mmer a name.'),
    description: Text(descriptionMaxLength, 'Please describe the theme of the story.'),
    isPublic: z.boolean('Please choose whether the Z!mmer is public.'),
    duration: z.literal(durations, 'Please choose 15, 30, 60 or 120 minutes.'),
    /** Of a private room; a public one ignores them. */
    invitedFriends: z.array(PersonId).check(z.maxLength(invitedFriendsMax)),
  }),
  output: Room,
  status: 201,
  errors: ['NotYourFriend', 'TooManyRooms'],
})

export const joinRoom = endpoint({
  method: 'POST',
  path: '/api/zimmers/:id/join',
  params,
  output: Room,
  errors: ['RoomNotFound', 'PrivateRoom', 'RoomExpired', 'RoomFull'],
})

export const sendPassage = endpoint({
  method: 'POST',
  path: '/api/zimmers/:id/messages',
  params,
  input: z.object({ content: Text(passageMaxLength) }),
  output: RoomPassage,
  status: 201,
  errors: ['RoomNotFound', 'NotRoomMember', 'RoomExpired', 'StoryFull'],
})

/** Tells the others in the room that somebody is writing; nothing is stored. */
export const announceWriting = endpoint({
  method: 'POST',
  path: '/api/zimmers/:id/writing',
  params,
  output: z.null(),
  status: 204,
  errors: ['RoomNotFound', 'NotRoomMember', 'RoomExpired'],
})

export const RoomMembers = z.object({
  members: z.array(
    z.object({ id: PersonId, username: z.nullable(z.string()), email: z.nullable(z.string()) }),
  ),
  messageCount: z.number(),
  contributorCount: z.number(),
})
export type RoomMembers = z.infer<typeof RoomMembers>

export const listRoomMembers = endpoint({
  method: 'GET',
  path: '/api/zimmers/:id/members',
  params,
  output: RoomMembers,
  errors: ['RoomNotFound'],
})

/** From the list. */
export const deleteRoom = endpoint({
  method: 'DELETE',
  path: '/api/zimmers/:id',
  params,
  output: Done,
  errors: ['RoomNotFound'],
})

/** From the room itself. */
export const deleteFeedRoom = endpoint({
  method: 'DELETE',
  path: '/api/zimmer-rooms/:id',
  params,
  output: Done,
  errors: ['RoomNotFound'],
})

/** A finished story as a file: bytes, not JSON. */
export const getRoomStory = endpoint({
  method: 'GET',
  path: '/api/zimmers/:id/story.:format',
  params: z.object({ id: Id, format: z.enum(['epub', 'md', 'txt']) }),
  output: z.unknown(),
  errors: ['RoomNotFound', 'PrivateRoom', 'RoomStillOpen'],
})
