import { addDays, dayOf, startOfDay } from '#contract/days.ts'
import {
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
import type { Room } from '#contract/rooms/room.ts'
import { done } from '#contract/schemas.ts'
import type { Config } from '#server/config.ts'
import { type Call, handle, type Route } from '#server/platform/http/handle.ts'
import type { LimitRule } from '#server/platform/http/limits.ts'
import { badCursor, pageOf, readTimeCursor, timeCursorOf } from '#server/platform/http/paging.ts'
import { admins, everyone, people } from '#server/platform/http/policy.ts'
import { newId } from '#server/platform/ids.ts'
import { addPassage, listNewestPassages } from './passages.ts'
import type { RoomsLive } from './live.ts'
import { mayRead, openRoomsMax, refusalOfJoining, refusalOfWriting } from './policy.ts'
import {
  addMember,
  addRoom,
  countOpenRoomsOf,
  findRoom,
  findRoomMembers,
  holdPerson,
  holdRoom,
  listRoomsOfDay,
  removeRoom,
  waitForLastPassages,
} from './queries.ts'
import { cursorOfFinished, keptLengths, type Shelf } from './shelf.ts'

interface Deps {
  config: Config
  live: RoomsLive
  shelf: Shelf
}

const newRooms: LimitRule = { name: 'rooms', count: 50, seconds: 86_400, by: 'person' }
/** For each room. */
const writing: LimitRule = { name: 'writing', count: 1, seconds: 3, by: 'person' }
const newPassages: LimitRule = { name: 'room-messages', count: 60, seconds: 60, by: 'person' }
/** Bytes, as nobody types them: nobody alone can fill a story for all others. */
const newText: LimitRule = { name: 'room-text', count: 1024 * 1024, seconds: 7200, by: 'person' }

/** The lists are the reader's own, because of `isMember`. */
const asList = { cacheControl: 'private, no-cache' }

export function roomRoutes({ config, live, shelf }: Deps): Route[] {
  return [
    handle(listRooms, everyone, asList, (call) => roomsOfDay(call, 0)),

    handle(listFeedRooms, everyone, asList, async (call) => (await roomsOfDay(call, 0)).map(asFeedRoom)),

    handle(listOpenRooms, everyone, asList, (call) => roomsOfDay(call, -1, { isOpen: true })),

    handle(listFinishedRooms, everyone, asList, async (call) => {
      const { query, setHeader } = call
      const limit = query.limit ?? finishedRoomsMax
      const words = wordsOf(query.q ?? '')
      const readerId = readerOf(call)
      const isKept = keptLengths.includes(limit) && words.length === 0 && query.before === undefined
      if (readerId === null && isKept) {
        const { prepared, nextBefore } = await shelf.newest(limit)
        if (nextBefore !== undefined) setHeader('next-before', nextBefore)
        return prepared
      }
      const before = readTimeCursor(query.before)
      const found = await shelf.list(readerId, { words, limit: limit + 1, before })
      return pageOf(call, found, limit, cursorOfFinished)
    }),

    handle(getRoom, everyone, roomOf),

    handle(getRoomMembership, everyone, async (call) => ({ isMember: (await roomOf(call)).isMember })),

    handle(listPassages, everyone, async (call) => {
      const room = await roomOf(call)
      if (!mayRead(room)) refuseReader(call)
      const limit = call.query.limit ?? passagesMax
      const page = { limit: limit + 1, before: readPosition(call.query.before) }
      if (!room.isActive) await waitForLastPassages(call.db, room.id)
      const found = await listNewestPassages(call.db, room.id, page)
      return pageOf(call, found, limit, ({ position }) => String(position)).toReversed()
    }),

    handle(createRoom, people, { isAtomic: true }, async (call) => {
      const { db, viewer, input, limit, fail } = call
      const { invitedFriends, ...described } = input
      limit(newRooms)
      if (!input.isPublic && invitedFriends.length > 0) fail('NotYourFriend')
      if (!(await holdPerson(db, viewer.id))) fail('SignInRequired')
      if ((await countOpenRoomsOf(db, viewer.id)) >= openRoomsMax) fail('TooManyRooms')
      const id = newId(call)
      await addRoom(db, { id, ...described, createdByUserId: viewer.id })
      return (await findRoom(db, viewer.id, id)) ?? fail('SignInRequired')
    }),

    handle(joinRoom, people, { isAtomic: true, isRepeatable: true }, async (call) => {
      const { db, viewer, params, fail, afterCommit } = call
      if (!(await holdPerson(db, viewer.id))) fail('SignInRequired')
      await holdRoom(db, params.id)
      const room = await roomOf(call)
      if (room.isMember) return room
      const refusal = refusalOfJoining(room)
      if (refusal !== undefined) fail(refusal)
      await addMember(db, room.id, viewer.id)
      afterCommit(() => live.changed(room.id))
      return roomOf(call)
    }),

    handle(sendPassage, people, { repeats: { content: 'content' } }, async (call) => {
      const { db, viewer, params, input, limit, fail, afterCommit } = call
      limit(newPassages)
      limit(newText, Buffer.byteLength(input.content))
      const passage = { id: newId(call), roomId: params.id, userId: viewer.id, content: input.content }
      const added = await addPassage(db, passage)
      if (added === undefined) return fail(refusalOfWriting(await roomOf(call)) ?? 'StoryFull')
      afterCommit(() => live.changed(params.id))
      return added
    }),

    handle(announceWriting, people, async (call) => {
      const { viewer, params, limitOf, fail } = call
      const refusal = refusalOfWriting(await roomOf(call))
      if (refusal !== undefined) fail(refusal)
      limitOf(`${viewer.id} ${params.id}`, writing)
      live.writing(params.id, viewer.id)
      return null
    }),

    handle(
      listRoomMembers,
      admins,
      async ({ db, params, fail }) => (await findRoomMembers(db, params.id)) ?? fail('RoomNotFound'),
    ),

    ...[deleteRoom, deleteFeedRoom].map((endpoint) =>
      handle(endpoint, admins, { isAtomic: true }, async (call) => {
        const { db, params, fail, audit, afterCommit } = call
        if (!(await removeRoom(db, params.id))) fail('RoomNotFound')
        await audit('room-deletion', { subjectId: params.id })
        afterCommit(() => {
          shelf.drop()
          live.changed(params.id)
        })
        return done
      }),
    ),
  ]

  /** The rooms created today, or so many days from today. */
  async function roomsOfDay(
    call: Pick<Call<typeof listRooms>, 'db' | 'viewer' | 'query' | 'now' | 'setHeader'>,
    daysFromToday: number,
    which: { isOpen?: true } = {},
  ) {
    const { db, query, now } = call
    const day = addDays(dayOf(now, config.timeZone), daysFromToday)
    const start = startOfDay(day, config.timeZone)
    const end = startOfDay(addDays(day, 1), config.timeZone)
    const limit = query.limit ?? roomsMax
    const before = readTimeCursor(query.before)
    const found = await listRoomsOfDay(db, readerOf(call), { start, end, limit: limit + 1, before, ...which })
    return pageOf(call, found, limit, timeCursorOf)
  }
}

const readerOf = ({ viewer }: Pick<Call, 'viewer'>) => (viewer.kind === 'visitor' ? null : viewer.id)

async function roomOf(call: Pick<Call<typeof getRoom>, 'db' | 'viewer' | 'params' | 'fail'>): Promise<Room> {
  return (await findRoom(call.db, readerOf(call), call.params.id)) ?? call.fail('RoomNotFound')
}

/** A visitor may be somebody who may read it. */
function refuseReader({ viewer, fail }: Pick<Call<typeof listPassages>, 'viewer' | 'fail'>): never {
  return fail(viewer.kind === 'visitor' ? 'SignInRequired' : 'PrivateRoom')
}

const asFeedRoom = ({ createdByUserId, ...room }: Room) => ({ ...room, createdBy: createdByUserId })

const wordsOf = (q: string) => q.normalize('NFC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

function readPosition(before: string | undefined): number | undefined {
  if (before === undefined) return undefined
  if (!/^[1-9]\d{0,8}$/.test(before)) throw badCursor()
  return Number(before)
}
