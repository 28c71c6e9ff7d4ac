import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { NewRoom } from '#contract/rooms/new-room.ts'
import {
  FeedRoom,
  FinishedRoom,
  ListedRoom,
  passageMaxLength,
  Room,
  RoomPassage,
} from '#contract/rooms/room.ts'
import { AnyText, Done, Id, Page, PersonId, Text } from '#contract/schemas.ts'

export const roomsMax = 200
export const passagesMax = 500
export const finishedRoomsMax = 1000
/** Finished rooms that our page requests at once. */
export const finishedRoomsAtOnce = 24

const params = z.object({ id: Id })

/** The rooms created today, newest first. */
export const listRooms = endpoint({
  method: 'GET',
  path: '/api/zimmers/rooms',
  query: Page(roomsMax),
  output: z.array(ListedRoom),
  errors: [],
})

/** The same list for the feed, with `createdBy` instead of `createdByUserId`. */
export const listFeedRooms = endpoint({
  method: 'GET',
  path: '/api/zimmer-rooms',
  query: Page(roomsMax),
  output: z.array(FeedRoom),
  errors: [],
})

/** The rooms created yesterday that have not ended, newest first. */
export const listOpenRooms = endpoint({
  method: 'GET',
  path: '/api/zimmers/open',
  query: Page(roomsMax),
  output: z.array(ListedRoom),
  errors: [],
})

/** The ended rooms that are public or have the reader as a member, the latest end first. `q`: beginnings of words in name or description. */
export const listFinishedRooms = endpoint({
  method: 'GET',
  path: '/api/zimmers/finished',
  query: z.extend(Page(finishedRoomsMax), { q: z.optional(AnyText(64)) }),
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

export const RoomMembership = z.object({
  isMember: z.boolean(),
  /** Whether the passages of the caller in this room carry the caller's name instead of 'User {id}'. */
  signsWithName: z.boolean(),
})
export type RoomMembership = z.infer<typeof RoomMembership>

export const getRoomMembership = endpoint({
  method: 'GET',
  path: '/api/zimmers/:id/membership',
  params,
  output: RoomMembership,
  errors: ['RoomNotFound'],
})

/** Changes how the caller signs all own passages in this room, also those that are already written. */
export const changeRoomMembership = endpoint({
  method: 'PATCH',
  path: '/api/zimmers/:id/membership',
  params,
  input: z.object({ signsWithName: z.boolean() }),
  output: RoomMembership,
  errors: ['RoomNotFound', 'NotRoomMember'],
})

/** The newest 500 passages, ordered by position. */
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
  input: NewRoom,
  output: Room,
  status: 201,
  errors: ['NotYourFriend', 'TooManyRooms'],
})

/** Without `signsWithName` the setting of the person decides. */
export const joinRoom = endpoint({
  method: 'POST',
  path: '/api/zimmers/:id/join',
  params,
  input: z.nullish(z.object({ signsWithName: z.optional(z.boolean()) })),
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

/** Announces to the others in the room that the caller is writing. Nothing is stored. */
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

/** For the list of rooms. */
export const deleteRoom = endpoint({
  method: 'DELETE',
  path: '/api/zimmers/:id',
  params,
  output: Done,
  errors: ['RoomNotFound'],
})

/** For the page of a room. */
export const deleteFeedRoom = endpoint({
  method: 'DELETE',
  path: '/api/zimmer-rooms/:id',
  params,
  output: Done,
  errors: ['RoomNotFound'],
})

/** A finished story as a file: bytes, not JSON. */
export const storyTypes = {
  epub: 'application/epub+zip',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
} as const

export const getRoomStory = endpoint({
  method: 'GET',
  path: '/api/zimmers/:id/story.:format',
  params: z.object({ id: Id, format: z.enum(['epub', 'md', 'txt']) }),
  output: z.unknown(),
  answersFiles: Object.values(storyTypes),
  errors: ['RoomNotFound', 'PrivateRoom', 'RoomStillOpen'],
})
