import {
  announceWriting,
  changeRoomMembership,
  createRoom,
  deleteFeedRoom,
  deleteRoom,
  getRoom,
  getRoomMembership,
  getRoomStory,
  joinRoom,
  listFeedRooms,
  listFinishedRooms,
  listOpenRooms,
  listOwnStories,
  listPassages,
  listRoomMembers,
  listRooms,
  listSlowRooms,
  sendPassage,
} from '#contract/rooms/endpoints.ts'
import { getReceipt, getRoomSeal, getSealFingerprint } from '#contract/rooms/credit/endpoints.ts'
import {
  addAside,
  getTurn,
  hostTable,
  listAsides,
  passTurn,
  returnToTable,
  signTurn,
  takeSeat,
} from '#contract/rooms/table/endpoints.ts'
import { aRoom } from '../rooms.ts'
import {
  type CallRow,
  admins,
  everyone,
  holder,
  members,
  nobody,
  people,
  peopleAdd,
  row,
  statuses,
} from './row.ts'

const allChoices = {
  turns: 'baton',
  isFolded: true,
  turnSeconds: 60,
  passageMax: 180,
  opening: 'It rained upwards.',
  wordGoal: 1000,
} as const

export const roomsCalls: readonly CallRow[] = [
  row(listRooms, everyone, () => ({ query: { limit: '50' } })),
  row(listFeedRooms, everyone, () => ({ query: { limit: '50' } })),
  row(listOpenRooms, everyone, () => ({ query: { limit: '50' } })),
  row(listSlowRooms, everyone, () => ({ query: { limit: '50' } })),
  row(listFinishedRooms, everyone, () => ({ query: { limit: '50', q: 'night' } })),
  row(listOwnStories, people, () => ({ query: { limit: '50' } })),
  row(getRoom, everyone, ({ room }) => ({ params: { id: room } })),
  row(getRoomMembership, everyone, ({ room }) => ({ params: { id: room } })),
  row(changeRoomMembership, members, ({ room }) => ({
    params: { id: room },
    input: { signsWithName: true },
  })),
  row(listPassages, everyone, ({ room }) => ({ params: { id: room }, query: { limit: '50' } })),
  row(listPassages, members, ({ privateRoom }) => ({ params: { id: privateRoom } }), 'of a private room'),
  row(getRoomStory, everyone, ({ story }) => ({ params: { id: story, format: 'epub' } })),
  row(
    getRoomStory,
    members,
    ({ privateStory }) => ({ params: { id: privateStory, format: 'txt' } }),
    'of a private room',
  ),
  row(getRoomSeal, everyone, ({ story }) => ({ params: { id: story } })),
  row(getRoomSeal, members, ({ privateStory }) => ({ params: { id: privateStory } }), 'of a private room'),
  row(getSealFingerprint, everyone, ({ story }) => ({ params: { id: story } })),
  row(
    getSealFingerprint,
    members,
    ({ privateStory }) => ({ params: { id: privateStory } }),
    'of a private room',
  ),
  row(getReceipt, { ...statuses(401, 403, 403), user: 200 }, ({ story }) => ({ params: { id: story } })),
  row(createRoom, peopleAdd, ({ known }) => ({
    input: aRoom({ invitedFriends: [known.id], ...allChoices }),
  })),
  row(
    createRoom,
    { ...statuses(401, 403, 400), member: 201 },
    ({ known }) => ({ input: aRoom({ isPublic: false, invitedFriends: [known.id], ...allChoices }) }),
    'with a friend',
  ),
  row(joinRoom, people, ({ room }) => ({ params: { id: room }, input: { signsWithName: true } })),
  row(
    joinRoom,
    members,
    ({ privateRoom }) => ({ params: { id: privateRoom }, input: { signsWithName: true } }),
    'of a private room',
  ),
  row(sendPassage, { ...statuses(401, 403, 403), user: 201, member: 201 }, ({ room, next }) => ({
    params: { id: room },
    input: { content: `Line ${next()}`, turn: 1, next: nobody },
  })),
  row(getTurn, everyone, ({ table }) => ({ params: { id: table.id } })),
  row(takeSeat, members, ({ table }) => ({ params: { id: table.id } })),
  row(returnToTable, members, ({ table }) => ({ params: { id: table.id } })),
  row(signTurn, holder, ({ table }) => ({ params: { id: table.id }, input: { number: 1 } })),
  row(passTurn, holder, ({ table }) => ({
    params: { id: table.id },
    input: { number: 1, next: table.memberId },
  })),
  row(
    sendPassage,
    { ...statuses(401, 403, 403), user: 201 },
    ({ table, next }) => ({
      params: { id: table.id },
      input: { content: `Line ${next()}`, turn: 1, next: table.memberId },
    }),
    'of a turn',
  ),
  row(hostTable, holder, ({ table }) => ({
    params: { id: table.id },
    input: { act: 'close', userId: table.memberId },
  })),
  row(listAsides, members, ({ table }) => ({ params: { id: table.id }, query: { limit: '50' } })),
  row(addAside, { ...statuses(401, 403, 403), user: 201, member: 201 }, ({ table, next }) => ({
    params: { id: table.id },
    input: { content: `Aside ${next()}` },
  })),
  row(announceWriting, { ...statuses(401, 403, 403), user: 204, member: 204 }, ({ room }) => ({
    params: { id: room },
  })),
  row(listRoomMembers, admins, ({ room }) => ({ params: { id: room } })),
  row(deleteRoom, admins, ({ room }) => ({ params: { id: room } })),
  row(deleteFeedRoom, admins, ({ room }) => ({ params: { id: room } })),
]
