import { membersMax } from '#contract/rooms/room.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { addMember, findRoom, lockRoom } from './queries.ts'

/** Whether links of a person may lead into a room: an open one that is public, or that the person has made. */
export async function mayInviteInto(db: Db, personId: string, roomId: string): Promise<boolean> {
  const room = await findRoom(db, personId, roomId)
  return room !== undefined && room.isActive && (room.isPublic || room.createdByUserId === personId)
}

/**
 * Makes a person a member of a private room if the inviter created the room, and the room is neither finished, closed to the person nor full. A public
 * room is not joined here: everybody can read it, and the person decides about joining. `canRead` says whether the person can
 * read the room now, and `isNew` whether this call made the person a member. The caller has locked both people.
 */
export async function addInvitedMember(
  db: Db,
  { roomId, inviterId, personId }: { roomId: string; inviterId: string; personId: string },
): Promise<{ canRead: boolean; isNew: boolean }> {
  await lockRoom(db, roomId)
  const room = await findRoom(db, personId, roomId)
  if (room === undefined || !room.isActive) return { canRead: false, isNew: false }
  if (room.isPublic || room.isMember) return { canRead: true, isNew: false }
  const isNew = room.createdByUserId === inviterId && !room.isClosed && room.memberCount < membersMax
  if (isNew) await addMember(db, { roomId, userId: personId, signsWithName: null })
  return { canRead: isNew, isNew }
}
