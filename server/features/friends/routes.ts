import {
  addFriend,
  blockPerson,
  listBlockedPeople,
  removeFriend,
  searchPeople,
  unblockPerson,
} from '#contract/friends/endpoints.ts'
import { blockedPeopleMax, searchTextMinLength } from '#contract/friends/friend.ts'
import { done } from '#contract/schemas.ts'
import type { DomainEvents } from '#server/domain-events.ts'
import { notifyPeople } from '#server/features/inbox/index.ts'
import { type Call, handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { isPersonId, readTimeCursor, sliceOf, timeCursorOf } from '#server/platform/http/answers/paging.ts'
import { people } from '#server/platform/http/endpoints/policy.ts'
import { newId } from '#server/platform/ids.ts'
import { notifyOfFriendship } from './events.ts'
import { lockPair } from './pairs.ts'
import * as queries from './queries.ts'
import { listFoundPeople } from './search.ts'

const newFriends: LimitRule = { name: 'friends', count: 20, seconds: 3600, by: 'person' }
const removedFriends: LimitRule = { name: 'removed-friends', count: 60, seconds: 3600, by: 'person' }
const searches: LimitRule = { name: 'search', count: 30, seconds: 60, by: 'person' }
const newBlocks: LimitRule = { name: 'blocks', count: 60, seconds: 3600, by: 'person' }

export function friendRoutes({ events }: { events: DomainEvents }): Route[] {
  /** The devices of the blocker show the change. The blocked person is told nothing (PPL-05). */
  const refreshDevicesOf = (blockerId: string, call: Pick<Call, 'db' | 'afterCommit'>) =>
    notifyPeople(call, events, 'friends.changed', [{ personId: blockerId, otherPersonId: null }])

  return [
    handle(addFriend, people, { limits: [newFriends], isRepeatable: true }, async (call) => {
      const { db, viewer, input, fail } = call
      const { friendUserId: friendId } = input
      if (
        !(await lockPair(db, viewer.id, friendId)) ||
        (await queries.hasEitherBlocked(db, viewer.id, friendId))
      )
        return fail('CannotBeFriend')
      const [known] = await queries.listFriendsByIds(db, viewer.id, [friendId])
      if (known === undefined && (await queries.isFriendLimitReached(db, [viewer.id, friendId])))
        return fail('TooManyFriends')
      const isChanged = await queries.addFriendship(db, { id: newId(call), adderId: viewer.id, friendId })
      if (known === undefined) await events.emitWithin('friendAdded', db, viewer.id, friendId)
      if (isChanged) await notifyOfFriendship(call, events, { adderId: viewer.id, friendId })
      const [friend] = await queries.listFriendsByIds(db, viewer.id, [friendId])
      return friend ?? fail('CannotBeFriend')
    }),

    handle(removeFriend, people, { limits: [removedFriends] }, async (call) => {
      const { db, viewer, params, fail } = call
      const { userId: friendId } = params
      if (
        !(await lockPair(db, viewer.id, friendId)) ||
        !(await queries.removeFriendship(db, viewer.id, friendId))
      )
        return fail('FriendNotFound')
      await notifyPeople(call, events, 'friend.removed', [
        { personId: viewer.id, otherPersonId: friendId },
        { personId: friendId, otherPersonId: viewer.id },
      ])
      return done
    }),

    handle(searchPeople, people, { limits: [searches] }, ({ db, viewer, query }) => {
      const text = (query.q ?? '').trim()
      return Array.from(text).length < searchTextMinLength
        ? Promise.resolve([])
        : listFoundPeople(db, viewer.id, text)
    }),

    handle(blockPerson, people, { limits: [newBlocks] }, async (call) => {
      const { db, viewer, input, fail } = call
      if (!(await lockPair(db, viewer.id, input.userId))) return fail('CannotBeBlocked')
      if (!(await queries.addBlock(db, viewer.id, input.userId))) return done
      if ((await queries.countBlocks(db, viewer.id)) > blockedPeopleMax) return fail('TooManyBlocks')
      await refreshDevicesOf(viewer.id, call)
      return done
    }),

    handle(unblockPerson, people, async (call) => {
      const { db, viewer, params, fail } = call
      const { userId } = params
      if (!(await lockPair(db, viewer.id, userId)) || !(await queries.removeBlock(db, viewer.id, userId)))
        return fail('NotBlocked')
      await refreshDevicesOf(viewer.id, call)
      return done
    }),

    handle(listBlockedPeople, people, async (call) => {
      const { db, viewer, query } = call
      const limit = query.limit ?? blockedPeopleMax
      const found = await queries.listBlockedPeople(db, viewer.id, {
        limit: limit + 1,
        before: readTimeCursor(query.before, isPersonId),
      })
      return sliceOf(found, limit, ({ blockedAt, id }) => timeCursorOf({ createdAt: blockedAt, id }))
    }),
  ]
}
