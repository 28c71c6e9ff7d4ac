import { membersMax } from '#contract/rooms/room.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { addMember, findRoom, lockRoom } from './queries.ts'

/** Whether links of a person may lead into a room: an open one that is public, or that the person has made. */
export async function mayInviteInto(db: Db, personId: string, roomId: string): Promise<boolean> {
  const room = await findRoom(db, personId, roomId)
  return room !== undefined && room.isActive && (room.isPublic || room.createdByUserId === personId)
}

/**
 * Makes a person a member of an open private room of its creator. Returns whether the person can read the room now; `isNew`
 * says whether this made them a member. A public room needs no invitation, so the person decides about joining it.
 */
export async function addInvitedMember(
  db: Db,
  { roomId, creatorId, personId }: { roomId: string; creatorId: string; personId: string },
): Promise<{ canRead: boolean; isNew: boolean }> {
  await lockRoom(db, roomId)
  const room = await findRoom(db, personId, roomId)
  if (room === undefined || !room.isActive) return { canRead: false, isNew: false }
  if (room.isPublic || room.isMember) return { canRead: true, isNew: false }
  const isNew = room.createdByUserId === creatorId && room.memberCount < membersMax
  if (isNew) await addMember(db, { roomId, userId: personId, signsWithName: null })
  return { canRead: isNew, isNew }
}
