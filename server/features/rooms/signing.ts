import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { ChangeCall, DomainEvents } from '#server/domain-events.ts'
import { lockPerson, users } from '#server/features/account/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import type { RoomNotifier } from './live.ts'
import { signsWithName } from './passages.ts'
import { isOpen, roomMembers } from './schema.ts'

/** Limited, because each change makes every page that shows the room fetch its passages again. */
export const signingChanges: LimitRule = { name: 'room-signing', count: 30, seconds: 60, by: 'person' }

/** How a member signs; undefined for a person who is no member. */
export async function findMembership(
  db: Db,
  roomId: string,
  userId: string,
): Promise<{ signsWithName: boolean; hasChosenSignature: boolean } | undefined> {
  const [membership] = await db
    .select({ signsWithName, hasChosenSignature: isNotNull(roomMembers.signsWithName).mapWith(Boolean) })
    .from(roomMembers)
    .innerJoin(users, eq(users.id, roomMembers.userId))
    .where(isMembership(roomId, userId))
  return membership
}

const isMembership = (roomId: string, userId: string) =>
  and(eq(roomMembers.roomId, roomId), eq(roomMembers.userId, userId), isNull(roomMembers.removedAt))

/**
 * Stores whether a member signs with the name in a room. Call `lockPerson` first. Returns the rooms with a new event;
 * undefined for a person who is no member.
 */
export async function changeSigning(
  db: Db,
  { roomId, userId, signsWithName: chosen }: { roomId: string; userId: string; signsWithName: boolean },
): Promise<{ roomIds: string[] } | undefined> {
  const isChanged = sql`room_id = ${roomId} and ${signsWithName} <> ${chosen}`
  const roomIds = await addSigningEvents(db, userId, isChanged)
  const { rowCount } = await db
    .update(roomMembers)
    .set({ signsWithName: chosen })
    .where(isMembership(roomId, userId))
  return rowCount === 0 ? undefined : { roomIds }
}

/**
 * Call this before the setting `showName` of a person is stored: the query compares with the old value. The setting decides
 * in the rooms for which the person has chosen nothing. Switching it off stores `false` in the memberships for which the
 * person chose the name. Switching it on again does not change these.
 */
export const beforeShowNameChange =
  ({ changed }: Pick<RoomNotifier, 'changed'>, events: DomainEvents) =>
  async ({ db, viewer, limit, afterCommit }: ChangeCall, showName: boolean): Promise<void> => {
    await limit(signingChanges)
    if (!(await lockPerson(db, viewer.id))) return
    const isChanged = sql`${signsWithName} <> (${showName} and coalesce(signs_with_name, true))`
    const roomIds = await addSigningEvents(db, viewer.id, isChanged)
    if (!showName) {
      await db
        .update(roomMembers)
        .set({ signsWithName: false })
        .where(and(eq(roomMembers.userId, viewer.id), roomMembers.signsWithName))
    }
    afterCommit(() => {
      roomIds.forEach(changed)
      events.emit('storiesChanged')
    })
  }

/**
 * Adds an event to each open room in which the signature of a person is about to change. Rooms that have ended get no
 * event. Locks rooms in the order of their ids before memberships, as every transaction does. `counted_event` also moves,
 * because a signature changes none of the stored counts.
 */
async function addSigningEvents(db: Db, userId: string, isChanged: SQL): Promise<string[]> {
  const { rows } = await db.execute<{ roomId: string }>(sql`
    with locked as (
      select id from rooms
      where ${isOpen} and id in (
        select room_id from room_members join users on users.id = user_id
        where user_id = ${userId} and ${isChanged}
      )
      order by id for no key update
    ), room as (
      update rooms set last_event = last_event + 1, counted_event = counted_event + 1
      from locked where rooms.id = locked.id
      returning rooms.id, last_event
    )
    update room_members set signing_event = last_event from room
    where room_id = room.id and user_id = ${userId}
    returning room_id as "roomId"`)
  return rows.map(({ roomId }) => roomId)
}
