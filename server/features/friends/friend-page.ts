import { friendsMax } from '#contract/friends/friend.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { isPersonId, readTimeCursor, type Slice, sliceOf } from '#server/platform/http/answers/paging.ts'
import { type FriendCursor, listFriends, type FriendInOrder } from './queries.ts'

/** A part of the list of friends, the newest message first. */
export async function findFriendPage(
  db: Db,
  personId: string,
  { limit = friendsMax, before }: { limit?: number | undefined; before?: string | undefined },
): Promise<Slice<FriendInOrder>> {
  const found = await listFriends(db, personId, { limit: limit + 1, before: readFriendCursor(before) })
  return sliceOf(found, limit, ({ lastMessageAt, id }) => `${lastMessageAt ?? 'never'}_${id}`)
}

function readFriendCursor(before: string | undefined): FriendCursor | undefined {
  const [, idAfterNever] = /^never_(.*)$/.exec(before ?? '') ?? []
  if (isPersonId(idAfterNever)) return { lastMessageAt: null, id: idAfterNever }
  const cursor = readTimeCursor(before, isPersonId)
  return cursor && { lastMessageAt: cursor.createdAt, id: cursor.id }
}
