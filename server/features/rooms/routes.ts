import { sql } from 'drizzle-orm'
import { addDays, dayOf, startOfDay } from '#contract/days.ts'
import {
  changeRoomMembership,
  createRoom,
  deleteFeedRoom,
  deleteRoom,
  finishedRoomsMax,
  getRoom,
  getRoomMembership,
  joinRoom,
  listFeedRooms,
  listFinishedRooms,
  listOpenRooms,
  listRoomMembers,
  listPassages,
  listRooms,
  passagesMax,
  roomsMax,
  sendPassage,
  announceWriting,
} from '#contract/rooms/endpoints.ts'
import { openRoomsMax, type Room, type RoomPassage } from '#contract/rooms/room.ts'
import { done } from '#contract/schemas.ts'
import { fits } from '#contract/text.ts'
import type { Needs } from '#server/feature.ts'
import { lockPeople, lockPerson } from '#server/features/account/index.ts'
import { hasEitherBlocked, listFriendsByIds } from '#server/features/friends/index.ts'
import { notifyPeople } from '#server/features/inbox/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { Finished } from '#server/platform/http/answers/finished.ts'
import { type Call, type ClaimingCall, handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import { changeOnce } from '#server/platform/http/endpoints/idempotency.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import {
  readPositionCursor,
  readTimeCursor,
  sliceOf,
  timeCursorOf,
} from '#server/platform/http/answers/paging.ts'
import { admins, idOf, type Registered, type SignedIn } from '#server/platform/http/endpoints/policy.ts'
import { newId } from '#server/platform/ids.ts'
import { roomReaders, roomWriters } from './policies.ts'
import { addPassage, listNewestPassages, type NewPassage } from './passages.ts'
import type { RoomNotifier } from './live.ts'
import { mayRead, refusalOfJoining, refusalOfWriting } from './policy.ts'
import {
  addMember,
  addMemberRow,
  addRoom,
  countOpenRoomsOf,
  findRoom,
  findRoomMembers,
  lockRoom,
  listFeedRoomsOfDay,
  listRoomsOfDay,
  type PageOfDay,
  removeRoom,
  waitForLastPassages,
} from './queries.ts'
import { cursorOfFinished, cachedLengths, type Shelf } from './shelf.ts'
import { changeSigning, findMembership, signingChanges } from './signing.ts'
import { lengthsOf } from './table/lengths.ts'
import { changeTable } from './table/table-queries.ts'
import type { TurnClock } from './table/turn-clock.ts'
import { addTurnPassage } from './table/turn-passages.ts'

export interface Deps extends Pick<Needs, 'config' | 'events' | 'instance'> {
  notifier: RoomNotifier
  shelf: Shelf
  turnClock: Pick<TurnClock, 'passOnWhenDue'>
}

const newRooms: LimitRule = { name: 'rooms', count: 50, seconds: 86_400, by: 'person' }
/** Counted for each room. */
const writing: LimitRule = { name: 'writing', count: 1, seconds: 3, by: 'person' }
const newPassages: LimitRule = { name: 'room-messages', count: 60, seconds: 60, by: 'person' }
/** In bytes: more than anybody types, and less than a story can hold, so that one person cannot fill it alone. */
const newText: LimitRule = { name: 'room-text', count: 1024 * 1024, seconds: 7200, by: 'person' }

/** The lists differ for each reader, because of `isMember`. */
const asList = { cacheControl: 'private, no-cache' }

export function roomRoutes({ config, notifier, shelf, events, instance, turnClock }: Deps): Route[] {
  return [
    handle(listRooms, roomReaders, asList, (call) => roomsOfDay(call, 0, listRoomsOfDay)),

    handle(listFeedRooms, roomReaders, asList, async (call) => {
      const slice = await roomsOfDay(call, 0, listFeedRoomsOfDay)
      return slice.with(slice.rows.map(asFeedRoom))
    }),

    handle(listOpenRooms, roomReaders, asList, (call) =>
      roomsOfDay(call, -1, listRoomsOfDay, { onlyOpen: true }),
    ),

    handle(listFinishedRooms, roomReaders, asList, async (call) => {
      const { query } = call
      const limit = query.limit ?? finishedRoomsMax
      const words = wordsOf(query.q ?? '')
      const readerId = idOf(call.viewer)
      const isCached = cachedLengths.includes(limit) && words.length === 0 && query.before === undefined
      if (readerId === null && isCached) return new Finished(await shelf.newest(limit))
      const before = readTimeCursor(query.before)
      const found = await shelf.list(readerId, { words, limit: limit + 1, before }, ownerOf(call))
      return sliceOf(found, limit, cursorOfFinished)
    }),

    handle(getRoom, roomReaders, roomOf),

    handle(getRoomMembership, roomReaders, membershipOf),

    handle(changeRoomMembership, roomWriters, async (call) => {
      const { db, viewer, input, limit, fail } = call
      await limit(signingChanges)
      if (!(await lockPerson(db, viewer.id))) fail('SignInRequired')
      const { id } = await roomOf(call)
      const isMember = await changeSigningIn(id, call, input.signsWithName)
      if (!isMember) fail('NotRoomMember')
      return membershipOf(call)
    }),

    handle(listPassages, roomReaders, async (call) => {
      const room = await roomOf(call)
      if (!mayRead(room)) refuseReader(call)
      const limit = call.query.limit ?? passagesMax
      const before = readPositionCursor(call.query.before)
      const page = { roomId: room.id, limit: limit + 1, before }
      if (room.turns !== 'free') await turnClock.passOnWhenDue(room.id)
      if (!room.isActive) await waitForLastPassages(call.db, room.id)
      const found = await listNewestPassages(call.db, idOf(call.viewer), page)
      const slice = sliceOf(found, limit, ({ position }) => String(position))
      return slice.with(slice.rows.toReversed())
    }),

    handle(createRoom, roomWriters, async (call) => {
      const { db, viewer, input, limit, fail } = call
      if (input.isPublic && !instance.settings().publicRooms) fail('PublicRoomsOff')
      const { invitedFriends, ...described } = input
      const room = { ...described, ...lengthsOf(input), id: newId(call), createdByUserId: viewer.id }
      await limit(newRooms)
      const invitedIds = input.isPublic ? [] : [...new Set(invitedFriends)]
      // While they are locked, none of them can block another or delete the account.
      const lockedIds = await lockPeople(db, [viewer.id, ...invitedIds])
      if (!lockedIds.includes(viewer.id)) fail('SignInRequired')
      if ((await listFriendsByIds(db, viewer.id, invitedIds)).length < invitedIds.length)
        fail('NotYourFriend')
      if ((await countOpenRoomsOf(db, viewer.id)) >= openRoomsMax) fail('TooManyRooms')
      await addRoom(db, room, invitedIds)
      if (room.turns !== 'free') await changeTable(db, room.id, { type: 'sit', memberId: viewer.id })
      const details = { roomId: room.id }
      const invitations = invitedIds.map((personId) => ({ personId, otherPersonId: null, details }))
      await notifyPeople(call, events, 'room.invited', invitations)
      return (await findRoom(db, viewer.id, room.id)) ?? fail('SignInRequired')
    }),

    handle(joinRoom, roomWriters, { isRepeatable: true }, async (call) => {
      const { db, viewer, params, input, limit, fail, afterCommit } = call
      if (!(await lockPerson(db, viewer.id))) fail('SignInRequired')
      await lockRoom(db, params.id)
      const room = await roomOf(call)
      const { signsWithName } = input ?? {}
      if (room.isMember) {
        // A page that does not know of the membership yet may send a new choice.
        if (signsWithName !== undefined) {
          await limit(signingChanges)
          await changeSigningIn(room.id, call, signsWithName)
        }
        return room
      }
      const refusal = refusalOfJoining(room)
      if (refusal !== undefined) fail(refusal)
      const member = { roomId: room.id, userId: viewer.id, signsWithName: signsWithName ?? null }
      if (room.turns === 'free') await addMember(db, member)
      else {
        await addMemberRow(db, member)
        const event = { type: 'sit', memberId: viewer.id } as const
        const seated = await changeTable(db, room.id, event, { lastEvent: sql`last_event + 1` })
        if (typeof seated === 'string') fail('RoomExpired')
        afterCommit(() => notifier.turned(room.id))
      }
      afterCommit(() => notifier.changed(room.id))
      return roomOf(call)
    }),

    handle(
      sendPassage,
      roomWriters,
      {
        withoutTransaction: 'a passage is one statement, and one with a turn opens a transaction',
        claimsKey: true,
        echoes: { content: 'content' },
      },
      async (call) => {
        const { db, claim, viewer, params, input, limit, fail, afterCommit } = call
        await limit(newPassages, { ...newText, weight: Buffer.byteLength(input.content) })
        const salt = call.random.bytes(16)
        const passage = {
          id: newId(call),
          roomId: params.id,
          userId: viewer.id,
          content: input.content,
          salt,
        }
        const added = await addPassage(db, passage, claim)
        if (added !== undefined) {
          afterCommit(() => notifier.changed(params.id))
          return added
        }
        const room = await roomOf(call)
        const refusal = refusalOfWriting(room)
        if (refusal !== undefined) fail(refusal)
        return room.turns === 'free' ? fail('StoryFull') : sendInTurn(call, room, passage)
      },
    ),

    handle(announceWriting, roomWriters, { withoutTransaction: 'nothing is stored' }, async (call) => {
      const { viewer, params, limitOf, fail } = call
      const refusal = refusalOfWriting(await roomOf(call))
      if (refusal !== undefined) fail(refusal)
      await limitOf(`${viewer.id} ${params.id}`, writing)
      notifier.writing(params.id, viewer.id)
      return null
    }),

    handle(
      listRoomMembers,
      admins,
      async ({ db, params, fail }) => (await findRoomMembers(db, params.id)) ?? fail('RoomNotFound'),
    ),

    ...[deleteRoom, deleteFeedRoom].map((endpoint) =>
      handle(endpoint, admins, async (call) => {
        const { db, params, fail, audit, afterCommit } = call
        if (!(await removeRoom(db, params.id))) fail('RoomNotFound')
        await audit('room-deletion', { subjectId: params.id })
        afterCommit(() => {
          events.emit('shelfChanged')
          notifier.changed(params.id)
        })
        return done
      }),
    ),
  ]

  /** Sends the passage of a turn. A refusal undoes everything. */
  async function sendInTurn(
    call: ClaimingCall<typeof sendPassage, SignedIn<Registered>>,
    { id, passageMax }: Room,
    passage: NewPassage,
  ): Promise<RoomPassage> {
    const { db, claim, viewer, input, fail, afterCommit } = call
    if (!fits(input.content, passageMax!)) fail('PassageTooLong')
    return changeOnce(db, claim, async (tx) => {
      if (!(await lockPerson(tx, viewer.id))) fail('SignInRequired')
      const sent = await addTurnPassage(tx, { ...passage, turn: input.turn, next: input.next })
      if (typeof sent === 'string') return fail(sent)
      // After all other refusals, as in `passTurn`.
      if (input.next !== undefined && (await hasEitherBlocked(tx, viewer.id, input.next))) fail('NotNext')
      afterCommit(() => {
        notifier.changed(id)
        notifier.turned(id)
        if (sent.isEnd) events.emit('shelfChanged')
      })
      return sent.passage
    })
  }

  /** Stores how the caller signs in a room. Returns false for a caller who is no member. */
  async function changeSigningIn(
    roomId: string,
    {
      db,
      viewer,
      afterCommit,
    }: Pick<Call<typeof joinRoom>, 'db' | 'afterCommit'> & { viewer: { id: string } },
    signsWithName: boolean,
  ): Promise<boolean> {
    const changed = await changeSigning(db, { roomId, userId: viewer.id, signsWithName })
    afterCommit(() => {
      changed?.roomIds.forEach(notifier.changed)
      events.emit('storiesChanged')
    })
    return changed !== undefined
  }

  /** The rooms created today, or so many days from today. */
  async function roomsOfDay<Listed extends Room>(
    call: Pick<Call<typeof listRooms>, 'db' | 'viewer' | 'query' | 'now'>,
    daysFromToday: number,
    list: (db: Db, readerId: string | null, page: PageOfDay) => PromiseLike<Listed[]>,
    which: { onlyOpen?: true } = {},
  ) {
    const { db, query, now } = call
    const day = addDays(dayOf(now, config.timeZone), daysFromToday)
    const start = startOfDay(day, config.timeZone)
    const end = startOfDay(addDays(day, 1), config.timeZone)
    const limit = query.limit ?? roomsMax
    const before = readTimeCursor(query.before)
    const found = await list(db, idOf(call.viewer), { start, end, limit: limit + 1, before, ...which })
    return sliceOf(found, limit, timeCursorOf)
  }
}

/** The account, or the address of a visitor. Callers on this machine have no owner, because they are not limited. */
const ownerOf = ({ viewer, address, isLocal }: Pick<Call, 'viewer' | 'address' | 'isLocal'>) => {
  if (viewer.kind !== 'visitor') return `person ${viewer.id}`
  return isLocal ? undefined : `address ${address}`
}

async function roomOf(call: Pick<Call<typeof getRoom>, 'db' | 'viewer' | 'params' | 'fail'>): Promise<Room> {
  return (await findRoom(call.db, idOf(call.viewer), call.params.id)) ?? call.fail('RoomNotFound')
}

async function membershipOf(call: Pick<Call<typeof getRoom>, 'db' | 'viewer' | 'params' | 'fail'>) {
  const { id } = await roomOf(call)
  const readerId = idOf(call.viewer)
  const membership = readerId === null ? undefined : await findMembership(call.db, id, readerId)
  return {
    isMember: membership !== undefined,
    signsWithName: membership?.signsWithName ?? false,
    hasChosenSignature: membership?.hasChosenSignature ?? false,
  }
}

/** A visitor is asked to sign in: the person may have the permission. */
function refuseReader({ viewer, fail }: Pick<Call<typeof listPassages>, 'viewer' | 'fail'>): never {
  return fail(viewer.kind === 'visitor' ? 'SignInRequired' : 'PrivateRoom')
}

const asFeedRoom = ({ createdByUserId, ...room }: Room) => ({
  ...room,
  createdBy: createdByUserId,
})

const wordsOf = (q: string) => q.normalize('NFC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
