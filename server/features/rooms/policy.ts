import type { Room } from '#contract/rooms/room.ts'

export const openRoomsMax = 20
export const membersMax = 200
/** What 200 people write in two hours without a pause, twice; a story is made and read as a whole. */
export const storyMaxBytes = 8 * 1024 * 1024

/** Passages and events of a private room are for its members alone, also before admins. */
export const mayRead = ({ isPublic, isMember }: Pick<Room, 'isPublic' | 'isMember'>): boolean =>
  isPublic || isMember

/** Why somebody who is no member cannot become one. */
export function refusalOfJoining({ isPublic, isActive, memberCount }: Room) {
  if (!isPublic) return 'PrivateRoom'
  if (!isActive) return 'RoomExpired'
  return memberCount < membersMax ? undefined : 'RoomFull'
}

export function refusalOfWriting({ isMember, isActive }: Room) {
  if (!isMember) return 'NotRoomMember'
  return isActive ? undefined : 'RoomExpired'
}
