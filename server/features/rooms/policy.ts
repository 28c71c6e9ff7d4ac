import type { Room } from '#contract/rooms/room.ts'

export const openRoomsMax = 20
export const membersMax = 200
/**
 * A story is made and read as a whole. Of passages of 60 letters so much are more than two a minute from each of 200
 * people for two hours.
 */
export const storyMaxBytes = 16 * 1024 * 1024
/** What a passage counts for beside its text, so that neither very long nor very many ones are too much. */
export const passageBytes = 200

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
