import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { Room } from '#contract/rooms/room.ts'
import { Id, Page, PersonId, Text } from '#contract/schemas.ts'
import { Aside, asideMaxLength, asidesMax } from './asides.ts'
import { ReadersTurn, TurnNumber } from './table.ts'

const params = z.object({ id: Id })

export const getTurn = endpoint({
  summary: 'Answers whose turn it is in a room with turns.',
  method: 'GET',
  path: '/api/zimmers/:id/turn',
  params,
  output: ReadersTurn,
  errors: ['RoomNotFound', 'PrivateRoom', 'NoTurns'],
})

export const takeSeat = endpoint({
  summary: 'Gives the caller a seat at the table, or a place in the line when all seats are taken.',
  method: 'POST',
  path: '/api/zimmers/:id/seat',
  params,
  output: ReadersTurn,
  errors: ['RoomNotFound', 'NotRoomMember', 'RoomExpired', 'NoTurns'],
})

const ofTurn = { params, output: ReadersTurn, method: 'POST' } as const
const refusals = [
  'RoomNotFound',
  'NotRoomMember',
  'RoomExpired',
  'NoTurns',
  'TurnOver',
  'NotYourTurn',
] as const

export const renewLease = endpoint({
  ...ofTurn,
  summary: 'Renews the lease of the holder of the turn, who is there.',
  path: '/api/zimmers/:id/turn/sign',
  input: z.object({ number: TurnNumber }),
  errors: [...refusals],
})

export const passTurn = endpoint({
  ...ofTurn,
  summary: 'Ends the turn of the caller without a passage.',
  path: '/api/zimmers/:id/turn/pass',
  input: z.object({
    number: TurnNumber,
    /** Who shall be next, where the holder hands on the baton. */
    next: z.optional(PersonId),
  }),
  errors: [...refusals, 'NotNext'],
})

export const returnToTable = endpoint({
  ...ofTurn,
  summary: 'Says that a member who was away takes turns again.',
  path: '/api/zimmers/:id/turn/back',
  errors: ['RoomNotFound', 'NotRoomMember', 'RoomExpired', 'NoTurns'],
})

export const hostTable = endpoint({
  summary: 'Closes the table to people who have not joined, reopens it, ends the room, or removes a member.',
  description:
    'For the creator alone. The passages of a removed member stay in the story. The person cannot join again.',
  method: 'POST',
  path: '/api/zimmers/:id/host',
  params,
  input: z.object({
    act: z.enum(['close', 'reopen', 'end', 'remove']),
    /** Who is removed. */
    userId: z.optional(PersonId),
  }),
  output: Room,
  errors: ['RoomNotFound', 'NotRoomCreator', 'NoTurns', 'RoomExpired', 'NotRemovable'],
})

export const listAsides = endpoint({
  summary: 'Lists what people at the table have said beside the story, the newest first.',
  description:
    'For people with a seat, until 24 hours after the end of the room. Then the asides are deleted.',
  method: 'GET',
  path: '/api/zimmers/:id/asides',
  params,
  query: Page(asidesMax),
  output: z.array(Aside),
  errors: ['RoomNotFound', 'NotRoomMember', 'NotSeated', 'DiaryLocked'],
})

export const addAside = endpoint({
  summary: 'Says something to the people at the table, beside the story.',
  method: 'POST',
  path: '/api/zimmers/:id/asides',
  params,
  input: z.object({ content: Text(asideMaxLength) }),
  output: Aside,
  status: 201,
  errors: ['RoomNotFound', 'NotRoomMember', 'RoomExpired', 'NotSeated', 'DiaryLocked'],
})
