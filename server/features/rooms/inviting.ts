import { membersMax } from '#contract/rooms/room.ts'
import type { ChangeCall, DomainEvents } from '#server/domain-events.ts'
import { notifyPeople } from '#server/features/inbox/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import type { RoomNotifier } from './live.ts'
import { addMember, findRoom, lockRoom } from './queries.ts'

/** Whether links of a person may lead into a room: an open one that is public, or that the person has made. */
export async function mayInviteInto(db: Db, personId: string, roomId: string): Promise<boolean> {
  const room = await findRoom(db, personId, roomId)
  return room !== undefined && room.isActive && (room.isPublic || room.createdByUserId === personId)
}

/**
 * Makes a person a member of the private room into which the caller has invited that person. When the room has ended or is
 * full, the person becomes a friend alone. A public room needs no invitation, so the person decides about joining it.
 */
export const addInvitedMember =
  ({ changed }: Pick<RoomNotifier, 'changed'>, events: DomainEvents) =>
  async (call: ChangeCall, { personId, roomId }: { personId: string; roomId: string }): Promise<void> => {
    const { db, viewer, afterCommit } = call
    await lockRoom(db, roomId)
    const room = await findRoom(db, personId, roomId)
    if (room === undefined || room.isPublic || room.isMember || room.createdByUserId !== viewer.id) return
    if (!room.isActive || room.memberCount >= membersMax) return
    await addMember(db, { roomId, userId: personId, signsWithName: null })
    await notifyPeople(call, events, 'room.invited', [{ personId, otherPersonId: null, details: { roomId } }])
    afterCommit(() => changed(roomId))
  }
