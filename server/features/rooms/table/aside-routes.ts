import { asidesMax } from '#contract/rooms/table/asides.ts'
import { addAside, listAsides } from '#contract/rooms/table/endpoints.ts'
import { lockPerson } from '#server/features/account/index.ts'
import { type Vault, vaultLocked } from '#server/features/day-texts/index.ts'
import { badCursor, isId } from '#server/platform/http/answers/paging.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { type Call, handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import type { SignedIn } from '#server/platform/http/endpoints/policy.ts'
import { newId } from '#server/platform/ids.ts'
import { roomWriters } from '../policies.ts'
import type { RoomNotifier } from '../live.ts'
import { refusalOfWriting } from '../policy.ts'
import { findRoom } from '../queries.ts'
import { findAsides, isSeated, storeAside } from './asides.ts'

const newAsides: LimitRule = { name: 'room-asides', count: 30, seconds: 60, by: 'person' }
/** A slow table lasts for weeks. */
const asidesOfDay: LimitRule = { name: 'room-asides-of-day', count: 2000, seconds: 86_400, by: 'person' }

interface Deps {
  vault: Vault
  notifier: Pick<RoomNotifier, 'asidesChanged'>
}

/** What people at a table say beside the story, for them alone. */
export function asideRoutes({ vault, notifier }: Deps): Route[] {
  return [
    handle(listAsides, roomWriters, async (call) => {
      const { db, viewer, query, fail } = call
      const room = await roomOf(call)
      if (!room.isMember) fail('NotRoomMember')
      if (!(await isSeated(db, room.id, viewer.id))) fail('NotSeated')
      const { limit = asidesMax, before } = query
      if (before !== undefined && !isId(before)) throw badCursor()
      return findAsides(db, vault, room.id, { limit, before })
    }),

    handle(
      addAside,
      roomWriters,
      { limits: [newAsides, asidesOfDay], echoes: { content: 'content' } },
      async (call) => {
        const { db, viewer, params, input, fail, afterCommit } = call
        if (!(await lockPerson(db, viewer.id))) fail('SignInRequired')
        const aside = { id: newId(call), roomId: params.id, userId: viewer.id, content: input.content }
        const added = await storeAside(db, vault, aside)
        if (added !== undefined) {
          afterCommit(() => notifier.asidesChanged(params.id))
          return added
        }
        const room = await roomOf(call)
        const refusal = refusalOfWriting(room)
        if (refusal !== undefined) fail(refusal)
        if (!(await isSeated(db, room.id, viewer.id))) fail('NotSeated')
        throw vaultLocked()
      },
    ),
  ]
}

/** A room without turns has no table, and so nothing beside the story. */
async function roomOf({
  db,
  viewer,
  params,
  fail,
}: Pick<Call<typeof listAsides, SignedIn>, 'db' | 'viewer' | 'params' | 'fail'>) {
  const room = (await findRoom(db, viewer.id, params.id)) ?? fail('RoomNotFound')
  return room.turns === 'free' ? fail('RoomNotFound') : room
}
