import { sql } from 'drizzle-orm'
import type { TimeCursor } from '#server/platform/http/answers/paging.ts'
import { posts } from './schema.ts'

/** A page ends with the post that reaches this number of bytes. */
const pageBytes = 4 * 1024 * 1024

/** What a query selects that finds the end of a page without reading the texts. */
export const sizeFields = {
  id: posts.id,
  createdAt: posts.createdAt,
  bytes: sql<number>`octet_length(${posts.content})`,
}

interface SizedPost extends TimeCursor {
  bytes: number
}

/**
 * Cuts a page from a list of posts that has one post more than `limit` when another page follows. Returns the ids of the
 * page, the last post when another page follows (`next`), and the bytes of all its posts. `bytesBefore` are the bytes of
 * posts that the page already has.
 */
export function endOfPage(sized: readonly SizedPost[], limit: number, bytesBefore = 0) {
  let bytes = bytesBefore
  const page: SizedPost[] = []
  for (const post of sized.slice(0, limit)) {
    if (isFullPage(bytes)) break
    bytes += post.bytes
    page.push(post)
  }
  return {
    ids: page.map(({ id }) => id),
    next: sized.length > page.length ? page.at(-1) : undefined,
    bytes,
  }
}

export const isFullPage = (bytes: number): boolean => bytes >= pageBytes
