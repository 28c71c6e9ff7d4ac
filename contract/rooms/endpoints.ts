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
  SentPassage,
  SlowRoom,
} from '#contract/rooms/room.ts'
import { TurnNumber } from '#contract/rooms/table/table.ts'
import { AnyText, Done, Id, Page, PersonId, Text } from '#contract/schemas.ts'

export const roomsMax = 200
export const passagesMax = 500
export const finishedRoomsMax = 1000
export const ownStoriesMax = 200
/** Finished rooms that our page requests at once. */
export const finishedRoomsAtOnce = 24

const params = z.object({ id: Id })

export const listRooms = endpoint({
  summary: 'Lists the rooms created today, the newest first, without slow tables that have not ended.',
  method: 'GET',
  path: '/api/zimmers/rooms',
  query: Page(roomsMax),
  output: z.array(ListedRoom),
})

export const listFeedRooms = endpoint({
  summary: 'Lists the rooms created today with `createdBy` instead of `createdByUserId`.',
  method: 'GET',
  path: '/api/zimmer-rooms',
  query: Page(roomsMax),
  output: z.array(FeedRoom),
})

export const listOpenRooms = endpoint({
  summary: 'Lists the rooms created yesterday that have not ended, the newest first, without slow tables.',
  method: 'GET',
  path: '/api/zimmers/open',
  query: Page(roomsMax),
  output: z.array(ListedRoom),
})

export const listSlowRooms = endpoint({
  summary:
    'Lists the slow tables that have not ended and are public or have the caller as a member, the newest first.',
  method: 'GET',
  path: '/api/zimmers/slow',
  query: Page(roomsMax),
  output: z.array(SlowRoom),
})

export const listFinishedRooms = endpoint({
  summary: 'Lists the ended rooms that are public or have the caller as a member, the latest end first.',
  description: '`q` finds beginnings of words in the name or the description.',
  method: 'GET',
  path: '/api/zimmers/finished',
  query: z.extend(Page(finishedRoomsMax), { q: z.optional(AnyText(64)) }),
  output: z.array(FinishedRoom),
})

export const listOwnStories = endpoint({
  summary: 'Lists the rooms in which the caller has written and which the caller may read, the newest first.',
  method: 'GET',
  path: '/api/own-stories',
  query: Page(ownStoriesMax),
  output: z.array(Room),
})

export const getRoom = endpoint({
  summary: 'Answers a room.',
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
  /** Whether the caller has chosen this for the room. Otherwise the setting of the caller decides. */
  hasChosenSignature: z.boolean(),
})
export type RoomMembership = z.infer<typeof RoomMembership>

export const getRoomMembership = endpoint({
  summary: 'Answers whether the caller is a member of a room.',
  method: 'GET',
  path: '/api/zimmers/:id/membership',
  params,
  output: RoomMembership,
  errors: ['RoomNotFound'],
})

export const changeRoomMembership = endpoint({
  summary: 'Changes how the caller signs all own passages in a room.',
  description: 'It holds for the passages that are already written, too.',
  method: 'PATCH',
  path: '/api/zimmers/:id/membership',
  params,
  input: z.object({ signsWithName: z.boolean() }),
  output: RoomMembership,
  errors: ['RoomNotFound', 'NotRoomMember'],
})

export const listPassages = endpoint({
  summary: 'Lists the newest passages of a room, ordered by position.',
  method: 'GET',
  path: '/api/zimmers/:id/messages',
  params,
  query: Page(passagesMax),
  output: z.array(RoomPassage),
  errors: ['RoomNotFound', 'PrivateRoom'],
})

export const createRoom = endpoint({
  summary: 'Makes a room.',
  description:
    'The story may begin with an `opening`, which is no passage, and may have a goal in words. Reaching it changes nothing.',
  method: 'POST',
  path: '/api/zimmers/create',
  input: NewRoom,
  output: Room,
  status: 201,
  errors: ['PublicRoomsOff', 'NotYourFriend', 'TooManyRooms'],
})

export const joinRoom = endpoint({
  summary: 'Makes the caller a member of a public room.',
  description: 'Without `signsWithName` the setting of the person decides.',
  method: 'POST',
  path: '/api/zimmers/:id/join',
  params,
  input: z.nullish(z.object({ signsWithName: z.optional(z.boolean()) })),
  output: Room,
  errors: ['RoomNotFound', 'PrivateRoom', 'RoomExpired', 'RoomClosed', 'RoomFull'],
})

export const sendPassage = endpoint({
  summary: 'Adds a passage to the story of a room.',
  method: 'POST',
  path: '/api/zimmers/:id/messages',
  params,
  input: z.object({
    content: Text(passageMaxLength),
    /** The number of the caller's turn, in a room with turns. */
    turn: z.optional(TurnNumber),
    /** Who shall be next, where the holder hands on the baton. */
    next: z.optional(PersonId),
  }),
  output: SentPassage,
  status: 201,
  errors: [
    'RoomNotFound',
    'NotRoomMember',
    'RoomExpired',
    'StoryFull',
    'TurnOver',
    'NotYourTurn',
    'NotNext',
    'PassageTooLong',
  ],
})

export const announceWriting = endpoint({
  summary: 'Announces to the others in a room that the caller is writing.',
  description: 'Nothing is stored.',
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
  messageCount: z.int(),
  contributorCount: z.int(),
})
export type RoomMembers = z.infer<typeof RoomMembers>

export const listRoomMembers = endpoint({
  summary: 'Lists the members of a room.',
  method: 'GET',
  path: '/api/zimmers/:id/members',
  params,
  output: RoomMembers,
  errors: ['RoomNotFound'],
})

export const deleteRoom = endpoint({
  summary: 'Deletes a room.',
  description: 'The list of rooms uses this call.',
  method: 'DELETE',
  path: '/api/zimmers/:id',
  params,
  output: Done,
  errors: ['RoomNotFound'],
})

export const deleteFeedRoom = endpoint({
  summary: 'Deletes a room, as the page of a room does.',
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
  summary: 'Answers a finished story as a file.',
  method: 'GET',
  path: '/api/zimmers/:id/story.:format',
  params: z.object({ id: Id, format: z.enum(['epub', 'md', 'txt']) }),
  output: z.unknown(),
  answersFiles: Object.values(storyTypes),
  errors: ['RoomNotFound', 'PrivateRoom', 'RoomStillOpen'],
})
