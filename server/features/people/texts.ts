import type { FirstPage } from '#contract/app/page-data.ts'
import { type PersonPage, personPostsAtOnce, personStoriesAtOnce } from '#contract/people/endpoints.ts'
import type { PersonList } from '#contract/people/paths.ts'
import type { Db } from '#server/platform/database/pool.ts'
import {
  type Slice,
  sliceOf,
  type TimeCursor,
  type TimeSlice,
  timeCursorOf,
} from '#server/platform/http/answers/paging.ts'
import { findPersonPage, listPosts, listStories } from './queries.ts'

/** A slice of a list ends with the text that reaches this size. */
const textsMaxBytes = 512 * 1024

export async function readPosts(
  db: Db,
  readerId: string | null,
  personId: string,
  { limit, before }: TimeSlice,
) {
  const found = await listPosts(db, readerId, personId, { limit: limit + 1, before })
  const count = Math.min(limit, countWithinBytes(found.map(({ content }) => content)))
  return sliceOf(found, count, ({ publishedAt, id }) => timeCursorOf({ createdAt: publishedAt!, id }))
}

export async function readStories(
  db: Db,
  readerId: string | null,
  personId: string,
  { limit, before }: TimeSlice,
) {
  const found = await listStories(db, readerId, personId, { limit: limit + 1, before })
  const texts = found.map(({ passages }) => passages.map(({ content }) => content).join(''))
  const count = Math.min(limit, countWithinBytes(texts))
  return sliceOf(found, count, ({ endedAt, id }) => timeCursorOf({ createdAt: endedAt, id }))
}

/** How many of these texts stand in one slice: at least one. */
function countWithinBytes(texts: string[]): number {
  let bytes = 0
  const firstLeftOut = texts.findIndex((text) => {
    const isFull = bytes >= textsMaxBytes
    bytes += Buffer.byteLength(text)
    return isFull
  })
  return firstLeftOut === -1 ? texts.length : firstLeftOut
}

/** What the page of a person shows a visitor: a page of each list. */
export interface PersonTexts {
  person: PersonPage
  posts: FirstPage
  stories: FirstPage
}

/** The cursors after which lists begin. A list without one begins with the newest text. */
export type ListCursors = Partial<Record<PersonList, TimeCursor>>

export async function findPersonTexts(
  db: Db,
  personId: string,
  before: ListCursors = {},
): Promise<PersonTexts | undefined> {
  const [person, posts, stories] = await Promise.all([
    findPersonPage(db, null, personId),
    readPosts(db, null, personId, { limit: personPostsAtOnce, before: before.posts }),
    readStories(db, null, personId, { limit: personStoriesAtOnce, before: before.stories }),
  ])
  return person && { person, posts: firstPageOf(posts), stories: firstPageOf(stories) }
}

const firstPageOf = ({ rows, nextBefore }: Slice) => ({
  items: rows,
  nextBefore: nextBefore ?? null,
})
