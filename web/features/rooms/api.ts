import {
  createRoom,
  finishedRoomsAtOnce,
  getRoom,
  getRoomMembership,
  joinRoom,
  listFeedRooms,
  listFinishedRooms,
  listOpenRooms,
  listPassages,
  listRoomMembers,
  listRooms,
  listSlowRooms,
} from '#contract/rooms/endpoints.ts'
import { useAction, useEndpoint } from '#web/lib/api.ts'
import { usePages } from '#web/lib/pages.ts'

export const useRooms = () => usePages(listRooms, {})
export const useOpenRooms = () => usePages(listOpenRooms, {})
export const useSlowRooms = () => usePages(listSlowRooms, {})
export const useFinishedRooms = (query: { q?: string; before?: string }) =>
  usePages(listFinishedRooms, { limit: String(finishedRoomsAtOnce), ...query })
export const useRoomMembers = (id: string) => useEndpoint(listRoomMembers, { params: { id }, staleTime: 0 })

export const useCreateRoom = () =>
  useAction(createRoom, {
    refreshes: [listRooms, listSlowRooms, listFeedRooms],
    failure: 'Failed to create the room',
  })

export const useJoinRoom = () =>
  useAction(joinRoom, {
    refreshes: [
      getRoom,
      getRoomMembership,
      listRoomMembers,
      listPassages,
      listRooms,
      listOpenRooms,
      listSlowRooms,
      listFinishedRooms,
      listFeedRooms,
    ],
    failure: 'Failed to join the room',
  })
