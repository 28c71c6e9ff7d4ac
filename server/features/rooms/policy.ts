import { membersMax, type Room } from '#contract/rooms/room.ts'

/**
 * A story is made and read as a whole, so its size is limited. The limit is enough for more than two passages of 60
 * letters a minute from each of 200 people for two hours.
 */
export const storyMaxBytes = 16 * 1024 * 1024
/** The bytes that each passage counts for in addition to its text, so that the limit also bounds the number of passages. */
export const passageBytes = 200

/** Only its members may read passages and events of a private room. Admins who are no members may not. */
export const mayRead = ({ isPublic, isMember }: Pick<Room, 'isPublic' | 'isMember'>): boolean =>
  isPublic || isMember

/** Why a person cannot become a member. */
export function refusalOfJoining({ isPublic, isActive, isClosed, memberCount }: Room) {
  if (!isPublic) return 'PrivateRoom'
  if (!isActive) return 'RoomExpired'
  if (isClosed) return 'RoomClosed'
  return memberCount < membersMax ? undefined : 'RoomFull'
}

export function refusalOfWriting({ isMember, isActive }: Room) {
  if (!isMember) return 'NotRoomMember'
  return isActive ? undefined : 'RoomExpired'
}
