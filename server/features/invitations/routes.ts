import {
  acceptInvitation,
  confirmAcceptance,
  createInvitation,
  declineAcceptance,
  getInvitation,
  listAcceptances,
  listInvitations,
  withdrawInvitation,
} from '#contract/invitations/endpoints.ts'
import { done } from '#contract/schemas.ts'
import type { DomainEvents } from '#server/domain-events.ts'
import { lockPerson } from '#server/features/account/index.ts'
import {
  addFriendship,
  isFriendLimitReached,
  listFriendsByIds,
  lockPair,
  notifyOfFriendship,
} from '#server/features/friends/index.ts'
import { notifyPeople } from '#server/features/inbox/index.ts'
import { addInvitedMember, mayInviteInto } from '#server/features/rooms/index.ts'
import { type Call, handle, oneStatement, type Route } from '#server/platform/http/endpoints/handle.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { everyone, idOf, people, type SignedIn } from '#server/platform/http/endpoints/policy.ts'
import { newId } from '#server/platform/ids.ts'
import { digestOf, newToken } from '#server/platform/tokens.ts'
import {
  addAcceptance,
  addInvitation,
  findInvitation,
  listOpenInvitations,
  listWaitingAcceptances,
  markDeclined,
  removeAcceptance,
  removeAcceptancesBetween,
  removeInvitation,
} from './queries.ts'

const newInvitations: LimitRule = { name: 'invitations', count: 20, seconds: 3600, by: 'person' }
const lookups: LimitRule = { name: 'invitation-lookups', count: 30, seconds: 60, by: 'address' }
const acceptances: LimitRule = { name: 'invitation-acceptances', count: 20, seconds: 3600, by: 'person' }
/** Confirmations and refusals of acceptances. */
const answers: LimitRule = { name: 'invitation-answers', count: 120, seconds: 3600, by: 'person' }

export function invitationRoutes({ events }: { events: DomainEvents }): Route[] {
  return [
    handle(createInvitation, people, { limits: [newInvitations], answersSecret: true }, async (call) => {
      const { db, viewer, input, random, fail } = call
      const roomId = input?.roomId ?? null
      if (!(await lockPerson(db, viewer.id))) fail('SignInRequired')
      if (roomId !== null && !(await mayInviteInto(db, viewer.id, roomId))) fail('RoomNotFound')
      const token = newToken(random)
      const added = await addInvitation(db, {
        id: newId(call),
        inviterId: viewer.id,
        tokenHash: digestOf(token),
        roomId,
      })
      return added === undefined ? fail('TooManyInvitations') : { ...added, token }
    }),

    handle(listInvitations, people, ({ db, viewer }) => listOpenInvitations(db, viewer.id)),

    handle(withdrawInvitation, people, async ({ db, viewer, params, fail }) => {
      if (!(await removeInvitation(db, viewer.id, params.id))) fail('InvitationNotFound')
      return done
    }),

    handle(
      getInvitation,
      everyone,
      { ...oneStatement, limits: [lookups], isRepeatable: true },
      async ({ db, viewer, input, fail }) =>
        (await findInvitation(db, digestOf(input.token), idOf(viewer))) ?? fail('InvitationNotFound'),
    ),

    handle(acceptInvitation, people, { limits: [acceptances], isRepeatable: true }, async (call) => {
      const { db, viewer, input, fail } = call
      const find = () => findInvitation(db, digestOf(input.token), viewer.id)
      const { inviterId, relation } = (await find()) ?? fail('InvitationNotFound')
      if (relation === 'own') fail('OwnInvitation')
      if (!(await lockPair(db, viewer.id, inviterId))) fail('InvitationNotFound')
      // The invitation may have changed before both people were locked, so read it again.
      const invitation = (await find()) ?? fail('InvitationNotFound')
      const { linkedRoomId: roomId } = invitation
      if (invitation.relation === 'friend' && roomId !== null)
        await notifyOfRoom(
          call,
          roomId,
          await addInvitedMember(db, { roomId, inviterId, personId: viewer.id }),
          viewer.id,
        )
      if (invitation.relation !== 'none') return invitation
      if (!(await addAcceptance(db, { inviterId, personId: viewer.id, roomId }))) fail('TooManyAcceptances')
      const accepted = { personId: inviterId, otherPersonId: viewer.id }
      await notifyPeople(call, events, 'invitation.accepted', [accepted])
      return { ...invitation, relation: 'asked' as const }
    }),

    handle(listAcceptances, people, ({ db, viewer }) => listWaitingAcceptances(db, viewer.id)),

    handle(confirmAcceptance, people, { limits: [answers], isRepeatable: true }, async (call) => {
      const { db, viewer, input, fail } = call
      const { userId } = input
      if (!(await lockPair(db, viewer.id, userId))) fail('AcceptanceNotFound')
      const [existing] = await listFriendsByIds(db, viewer.id, [userId])
      if (existing !== undefined) return { ...existing, roomId: null }
      const { roomId: linkedRoomId } =
        (await removeAcceptance(db, viewer.id, userId)) ?? fail('AcceptanceNotFound')
      if (await isFriendLimitReached(db, [viewer.id, userId])) fail('TooManyFriends')
      await removeAcceptancesBetween(db, viewer.id, userId)
      await addFriendship(db, { id: newId(call), adderId: viewer.id, friendId: userId })
      const roomId = await followIntoRoom(call, linkedRoomId)
      const [friend] = await listFriendsByIds(db, viewer.id, [userId])
      return friend === undefined ? fail('AcceptanceNotFound') : { ...friend, roomId }
    }),

    handle(declineAcceptance, people, { limits: [answers] }, async ({ db, viewer, params, fail }) => {
      if (!(await markDeclined(db, viewer.id, params.userId))) fail('AcceptanceNotFound')
      return done
    }),
  ]
  /**
   * Leads a new friend into the room of the link, and notifies both people. Locks the room before the inboxes, and both
   * inboxes at once, as every change does. Returns the room if the friend can read it.
   */
  async function followIntoRoom(
    call: Call<typeof confirmAcceptance, SignedIn>,
    roomId: string | null,
  ): Promise<string | null> {
    const { db, viewer, input } = call
    const people = { inviterId: viewer.id, personId: input.userId }
    const led = roomId === null ? undefined : await addInvitedMember(db, { roomId, ...people })
    await notifyOfFriendship(call, events, { adderId: viewer.id, friendId: input.userId })
    if (roomId === null || !led?.canRead) return null
    await notifyOfRoom(call, roomId, led, input.userId)
    return roomId
  }

  /** Notifies a person who has become a member of a room by a link. */
  async function notifyOfRoom(
    call: Pick<Call, 'db' | 'afterCommit'>,
    roomId: string,
    { isNew }: { isNew: boolean },
    personId: string,
  ): Promise<void> {
    if (!isNew) return
    await notifyPeople(call, events, 'room.invited', [{ personId, otherPersonId: null, details: { roomId } }])
    call.afterCommit(() => events.emit('roomMemberAdded', roomId))
  }
}
