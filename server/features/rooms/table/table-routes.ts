import { listSlowRooms, roomsMax } from '#contract/rooms/endpoints.ts'
import type { ErrorsOf } from '#contract/endpoint.ts'
import {
  getTurn,
  hostTable,
  passTurn,
  returnToTable,
  renewLease,
  takeSeat,
} from '#contract/rooms/table/endpoints.ts'
import type { DomainEvents } from '#server/domain-events.ts'
import { lockPerson } from '#server/features/account/index.ts'
import { hasEitherBlocked } from '#server/features/friends/index.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { type Call, type Fail, handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import { readTimeCursor, sliceOf, timeCursorOf } from '#server/platform/http/answers/paging.ts'
import { idOf, type Registered, type SignedIn } from '#server/platform/http/endpoints/policy.ts'
import { roomReaders, roomWriters } from '../policies.ts'
import type { RoomNotifier } from '../live.ts'
import { mayRead, refusalOfWriting } from '../policy.ts'
import { findRoom, lockRoom } from '../queries.ts'
import { host } from './hosting.ts'
import { findSlowRooms } from './slow-list.ts'
import type { TableEvent } from './table.ts'
import { changeTable } from './table-queries.ts'
import type { TurnClock } from './turn-clock.ts'
import { findReadersTurn } from './turns.ts'

/** The page of a holder renews the lease every 8 s. */
const turnCalls: LimitRule = { name: 'room-turns', count: 120, seconds: 60, by: 'person' }

const hosting: LimitRule = { name: 'room-hosting', count: 30, seconds: 60, by: 'person' }

/** A retry does no harm. The answer may hold the end of a passage, which is not stored. */
const aTurnCall = { isRepeatable: true, limits: [turnCalls] } as const

type CallOfMember = Omit<Call<typeof takeSeat, SignedIn<Registered>>, 'input'>

interface Deps {
  events: DomainEvents
  notifier: RoomNotifier
  turnClock: Pick<TurnClock, 'passOnWhenDue'>
}

export function tableRoutes({ events, notifier, turnClock }: Deps): Route[] {
  return [
    handle(getTurn, roomReaders, async ({ db, viewer, params, fail }) => {
      const readerId = idOf(viewer)
      const room = (await findRoom(db, readerId, params.id)) ?? fail('RoomNotFound')
      if (!mayRead(room)) fail(viewer.kind === 'visitor' ? 'SignInRequired' : 'PrivateRoom')
      const found = (await findReadersTurn(db, room.id, readerId)) ?? fail('NoTurns')
      if (!found.isDue) return found.turn
      await turnClock.passOnWhenDue(room.id)
      return (await findReadersTurn(db, room.id, readerId))?.turn ?? fail('RoomNotFound')
    }),

    handle(
      listSlowRooms,
      roomReaders,
      { cacheControl: 'private, no-cache' },
      async ({ db, viewer, query }) => {
        const limit = query.limit ?? roomsMax
        const before = readTimeCursor(query.before)
        const found = await findSlowRooms(db, idOf(viewer), { limit: limit + 1, before })
        return sliceOf(found, limit, timeCursorOf)
      },
    ),

    handle(takeSeat, roomWriters, aTurnCall, (call) =>
      change(call, { type: 'sit', memberId: call.viewer.id }),
    ),

    handle(renewLease, roomWriters, aTurnCall, (call) =>
      change(call, { type: 'renew', memberId: call.viewer.id, number: call.input.number }),
    ),

    handle(passTurn, roomWriters, aTurnCall, async (call) => {
      const { db, viewer, input, fail } = call
      const { number, next: nextId } = input
      const turn = await change(call, { type: 'pass', memberId: viewer.id, number, nextId })
      // After all other refusals, so that a block is not told to a caller who may not name anybody. Nobody blocks or
      // unblocks the caller now: the change has locked them.
      if (nextId !== undefined && (await hasEitherBlocked(db, viewer.id, nextId))) fail('NotNext')
      return turn
    }),

    handle(returnToTable, roomWriters, aTurnCall, (call) =>
      change(call, { type: 'back', memberId: call.viewer.id }),
    ),

    handle(hostTable, roomWriters, { isRepeatable: true, limits: [hosting] }, async (call) => {
      const { db, viewer, params, input, fail, afterCommit } = call
      if (!(await lockPerson(db, viewer.id))) fail('SignInRequired')
      await lockRoom(db, params.id)
      const room = (await findRoom(db, viewer.id, params.id)) ?? fail('RoomNotFound')
      if (room.createdByUserId !== viewer.id) fail('NotRoomCreator')
      if (room.turns === 'free') fail('NoTurns')
      if (!room.isActive) fail('RoomExpired')
      if (input.userId === viewer.id) fail('NotRemovable')
      const refusal = await host(db, room.id, input)
      if (refusal !== undefined) fail(refusal)
      afterCommit(() => {
        notifier.changed(room.id)
        notifier.turned(room.id)
        if (input.act === 'end') events.emit('shelfChanged')
      })
      return (await findRoom(db, viewer.id, room.id)) ?? fail('RoomNotFound')
    }),
  ]

  async function change(call: CallOfMember, event: TableEvent) {
    const { db, viewer, params, afterCommit } = call
    // An event is refused only for the reasons that its endpoint declares.
    const fail = call.fail as Fail<ErrorsOf<typeof passTurn>>
    if (!(await lockPerson(db, viewer.id))) fail('SignInRequired')
    const room = (await findRoom(db, viewer.id, params.id)) ?? fail('RoomNotFound')
    if (room.turns === 'free') fail('NoTurns')
    const refusal = refusalOfWriting(room)
    if (refusal !== undefined) fail(refusal)
    const changed = (await changeTable(db, room.id, event)) ?? fail('RoomNotFound')
    if (typeof changed === 'string') return fail(changed)
    if (changed.after.revision !== changed.before.revision) afterCommit(() => notifier.turned(room.id))
    return (await findReadersTurn(db, room.id, viewer.id))?.turn ?? fail('RoomNotFound')
  }
}
