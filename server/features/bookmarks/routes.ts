import {
  addBookmark,
  bookmarksAtOnce,
  listBookmarkIds as listBookmarkIdsCall,
  listBookmarks as listBookmarksCall,
  removeBookmark,
} from '#contract/bookmarks/endpoints.ts'
import { bookmarksMax } from '#contract/bookmarks/rules.ts'
import { done } from '#contract/schemas.ts'
import { lockPerson } from '#server/features/account/index.ts'
import { readTimeCursor, Slice, timeCursorOf } from '#server/platform/http/answers/paging.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { handle, oneStatement, type Route } from '#server/platform/http/endpoints/handle.ts'
import { people } from '#server/platform/http/endpoints/policy.ts'
import {
  countBookmarks,
  deleteBookmark,
  insertBookmark,
  isBookmarked,
  isPublicPost,
  listBookmarkIds,
  listBookmarks,
} from './queries.ts'

/** Additions and removals together. */
const limits: LimitRule[] = [{ name: 'bookmark-changes', count: 120, seconds: 60, by: 'person' }]
/** A page of long posts costs a tenth of a second. */
const reads: LimitRule[] = [{ name: 'bookmark-lists', count: 60, seconds: 60, by: 'person' }]

/** The calls of a person about the own bookmarks: nobody else reads or changes them, admins included. */
export const bookmarkRoutes = (): Route[] => [
  handle(listBookmarksCall, people, { limits: reads }, async ({ db, viewer, query }) => {
    const { limit = bookmarksAtOnce, before } = query
    const page = await listBookmarks(db, viewer.id, { limit, before: readTimeCursor(before) })
    return new Slice(page.bookmarks, page.next && timeCursorOf(page.next))
  }),

  handle(listBookmarkIdsCall, people, ({ db, viewer }) => listBookmarkIds(db, viewer.id)),

  handle(addBookmark, people, { limits }, async ({ db, viewer, params: { postId }, fail }) => {
    // The bookmarks of one person are added one after the other, so that their count is exact.
    if (!(await lockPerson(db, viewer.id))) fail('SignInRequired')
    if (!(await isPublicPost(db, postId))) fail('PostNotFound')
    if (await isBookmarked(db, viewer.id, postId)) return done
    if ((await countBookmarks(db, viewer.id)) >= bookmarksMax) fail('BookmarksFull')
    await insertBookmark(db, viewer.id, postId)
    return done
  }),

  handle(removeBookmark, people, { limits, ...oneStatement }, async ({ db, viewer, params }) => {
    await deleteBookmark(db, viewer.id, params.postId)
    return done
  }),
]
