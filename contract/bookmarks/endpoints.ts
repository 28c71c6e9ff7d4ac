import * as z from 'zod/mini'
import { bookmarksMax } from '#contract/bookmarks/rules.ts'
import { endpoint } from '#contract/endpoint.ts'
import { PostLink } from '#contract/feed/links/endpoints.ts'
import { Done, Id, Instant, Page, PersonId } from '#contract/schemas.ts'

export const bookmarksAtOnce = 50

/** A post that a person keeps to read later. */
export const Bookmark = z.extend(PostLink, {
  /** Null unless the name of the author leads to a page. */
  authorId: z.nullable(PersonId),
  /** Rounded: 0 for a short text. */
  readingMinutes: z.int(),
  publishedAt: Instant,
  /** When the person kept the post. */
  createdAt: Instant,
})
export type Bookmark = z.infer<typeof Bookmark>

const params = z.object({ postId: Id })

export const listBookmarks = endpoint({
  summary: 'Lists the posts that the caller keeps to read later, the last kept one first.',
  description:
    'A post that is hidden or taken back is left out, and returns when it is public again. A page of long texts is shorter than `limit`: the list ends where `Next-Before` is missing.',
  method: 'GET',
  path: '/api/bookmarks',
  query: Page(bookmarksAtOnce),
  output: z.array(Bookmark),
})

export const listBookmarkIds = endpoint({
  summary: 'Lists the ids of the public posts that the caller keeps to read later.',
  description: 'A page tells by these ids which posts are kept.',
  method: 'GET',
  path: '/api/bookmark-ids',
  output: z.array(Id),
})

export const addBookmark = endpoint({
  summary: 'Keeps a post to read later.',
  description: `A post that the caller keeps already stays at its place in the list. A person keeps at most ${bookmarksMax} posts.`,
  method: 'PUT',
  path: '/api/bookmarks/:postId',
  params,
  output: Done,
  errors: ['PostNotFound', 'BookmarksFull'],
})

export const removeBookmark = endpoint({
  summary: 'Removes a post from those that the caller keeps to read later.',
  description: 'The answer is the same when the caller does not keep the post.',
  method: 'DELETE',
  path: '/api/bookmarks/:postId',
  params,
  output: Done,
})
