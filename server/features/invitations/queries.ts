import { and, desc, eq, gt, sql } from 'drizzle-orm'
import {
  type Acceptance,
  acceptanceDays,
  type FollowedInvitation,
  type Invitation,
  invitationDays,
  openInvitationsMax,
  waitingAcceptancesMax,
} from '#contract/invitations/invitation.ts'
import { fullName } from '#server/features/account/index.ts'
import { isBlockBetween } from '#server/features/friends/index.ts'
import { isMemberOfRoom } from '#server/features/rooms/index.ts'
import { pickColumns } from '#server/platform/database/columns.ts'
import { deleteBefore } from '#server/platform/database/delete-before.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { invitationAcceptances, invitations } from './schema.ts'

/** The name for people who are not friends. Never the username: the server makes it from the email address. */
const publicName = sql`coalesce(nullif(btrim(${fullName}), ''), 'User ' || users.id)`

const areFriends = (one: unknown, other: unknown) => sql`exists (
  select 1 from friendships where (low_id = ${one} and high_id = ${other}) or (low_id = ${other} and high_id = ${one}))`

const isOpen = gt(invitations.expiresAt, sql`app_now()`)
const fields = pickColumns(invitations, 'id', 'createdAt', 'expiresAt')

interface NewLink {
  id: string
  inviterId: string
  tokenHash: string
  roomId: string | null
}

/** Adds a link. Returns undefined when the person already has `openInvitationsMax` open links. Call `lockPerson` first. */
export async function addInvitation(
  db: Db,
  { id, inviterId, tokenHash, roomId }: NewLink,
): Promise<Invitation | undefined> {
  const open = await listOpenInvitations(db, inviterId)
  if (open.length >= openInvitationsMax) return undefined
  const [added] = await db
    .insert(invitations)
    .values({
      id,
      inviterId,
      tokenHash,
      roomId,
      createdAt: sql`app_now()`,
      expiresAt: sql`app_now() + make_interval(days => ${invitationDays})`,
    })
    .returning(fields)
  return added
}

/** The open links of a person, the newest first. There are never more than `openInvitationsMax`. */
export const listOpenInvitations = (db: Db, inviterId: string): Promise<Invitation[]> =>
  db
    .select(fields)
    .from(invitations)
    .where(and(eq(invitations.inviterId, inviterId), isOpen))
    .orderBy(desc(invitations.createdAt), desc(invitations.id))

/** Deletes an open link of a person. Returns whether there was one. */
export async function removeInvitation(db: Db, inviterId: string, id: string): Promise<boolean> {
  const { rowCount } = await db
    .delete(invitations)
    .where(and(eq(invitations.id, id), eq(invitations.inviterId, inviterId), isOpen))
  return rowCount === 1
}

interface FoundInvitation extends FollowedInvitation {
  inviterId: string
  createdAt: string
  /** The room of the link, whoever reads it. */
  linkedRoomId: string | null
}

/**
 * The open link with this token, and what its inviter is to the reader, who may have no account. Undefined when one of the two
 * has blocked the other.
 */
export async function findInvitation(
  db: Db,
  tokenHash: string,
  readerId: string | null,
): Promise<FoundInvitation | undefined> {
  const reader = sql`${readerId}::text`
  const inviter = sql`invitations.inviter_id`
  const { rows } = await db.execute<FoundInvitation & Record<string, unknown>>(sql`
    select *, case when relation = 'friend' then "inviterId" end as "friendId",
      (select id from rooms
        where id = "linkedRoomId" and rooms.expires_at > app_now()
          and (is_public or relation = 'friend'
            and (created_by_user_id = "inviterId" or ${isMemberOfRoom(readerId)}))) as "roomId"
    from (select inviter_id as "inviterId", ${publicName} as "inviterName", invitations.created_at as "createdAt",
      expires_at as "expiresAt", room_id as "linkedRoomId",
      case
        when inviter_id = ${reader} then 'own'
        when ${areFriends(reader, inviter)} then 'friend'
        when exists (
          select 1 from invitation_acceptances
          where invitation_acceptances.inviter_id = ${inviter} and person_id = ${reader}
            and (declined_at is null or declined_at >= invitations.created_at)) then 'asked'
        else 'none'
      end as relation
    from invitations join users on users.id = ${inviter}
    where token_hash = ${tokenHash} and expires_at > app_now() and users.username is not null
      and not ${isBlockBetween(reader, inviter)}) as found`)
  return rows[0]
}

/** A condition on a row of `invitation_acceptances`: the inviter has not answered, and can still confirm. */
const isWaiting = sql`declined_at is null
  and not ${isBlockBetween(sql`inviter_id`, sql`person_id`)} and not ${areFriends(sql`inviter_id`, sql`person_id`)}`

/** The acceptances that the inviter has not answered, the newest first. There are never more than `waitingAcceptancesMax`. */
export async function listWaitingAcceptances(db: Db, inviterId: string): Promise<Acceptance[]> {
  const { rows } = await db.execute<Acceptance & Record<string, unknown>>(sql`
    select person_id as "userId", ${publicName} as name, accepted_at as "acceptedAt"
    from invitation_acceptances join users on users.id = person_id
    where inviter_id = ${inviterId} and users.username is not null and ${isWaiting}
    order by accepted_at desc, person_id desc
    limit ${waitingAcceptancesMax}::int`)
  return rows
}

/** Adds an acceptance. Returns false when `waitingAcceptancesMax` already wait for the inviter. Call `lockPair` first. */
export async function addAcceptance(
  db: Db,
  { inviterId, personId, roomId }: { inviterId: string; personId: string; roomId: string | null },
): Promise<boolean> {
  if ((await listWaitingAcceptances(db, inviterId)).length >= waitingAcceptancesMax) return false
  await db
    .insert(invitationAcceptances)
    .values({ inviterId, personId, roomId, acceptedAt: sql`app_now()` })
    .onConflictDoUpdate({
      target: [invitationAcceptances.inviterId, invitationAcceptances.personId],
      set: { acceptedAt: sql`excluded.accepted_at`, declinedAt: null, roomId },
    })
  return true
}

/** Deletes an acceptance. Returns the room of its link; undefined when the acceptance was not waiting. */
export async function removeAcceptance(
  db: Db,
  inviterId: string,
  personId: string,
): Promise<{ roomId: string | null } | undefined> {
  const { rows } = await db.execute<{ roomId: string | null }>(sql`
    delete from invitation_acceptances
    where inviter_id = ${inviterId} and person_id = ${personId} and ${isWaiting}
    returning room_id as "roomId"`)
  return rows[0]
}

/** Deletes the acceptances between two people who become friends, so that none waits again when the friendship ends. */
export async function removeAcceptancesBetween(db: Db, oneId: string, otherId: string): Promise<void> {
  await db.execute(sql`
    delete from invitation_acceptances
    where (inviter_id, person_id) in ((${oneId}, ${otherId}), (${otherId}, ${oneId}))`)
}

/** Marks an acceptance as declined. Returns whether it was waiting. */
export async function markDeclined(db: Db, inviterId: string, personId: string): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    update invitation_acceptances set declined_at = app_now()
    where inviter_id = ${inviterId} and person_id = ${personId} and ${isWaiting}`)
  return rowCount === 1
}

/**
 * Locks the acceptances by and for a person before the deletion of the account, in one order for everybody: people who
 * invited each other can delete their accounts at the same time.
 */
export async function lockAcceptancesOf(db: Db, personId: string): Promise<void> {
  await db.execute(sql`
    select 1 from invitation_acceptances where inviter_id = ${personId} or person_id = ${personId}
    order by inviter_id, person_id for update`)
}

/** Deletes expired links, and acceptances older than `acceptanceDays`. */
export async function purgeInvitations(db: Db, signal?: AbortSignal): Promise<void> {
  await deleteBefore(db, invitations.expiresAt, sql`app_now()`, signal)
  const oldest = sql`app_now() - make_interval(days => ${acceptanceDays})`
  await deleteBefore(db, invitationAcceptances.acceptedAt, oldest, signal)
}
