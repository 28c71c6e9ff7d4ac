import { setImmediate as pause } from 'node:timers/promises'
import { addDays, startOfDay } from '#contract/days.ts'
import { type FoundPerson, type FoundPost, type FoundRoom, search } from '#contract/search/endpoints.ts'
import { foundAtOnce, type SearchKind } from '#contract/search/query.ts'
import { formOf } from '#contract/text-form.ts'
import type { Config } from '#server/config.ts'
import { badCursor, isId } from '#server/platform/http/answers/paging.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { type Call, handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import { everyone, hasScope, idOf, withScope } from '#server/platform/http/endpoints/policy.ts'
import { OwnerSemaphores } from '#server/platform/semaphore.ts'
import { readTextQuery, type TextQuery } from '#server/platform/search/query.ts'
import { filterWord } from '#server/platform/search/words.ts'
import { firstLine, marked, matchingLine } from './matching-line.ts'
import { findPosts, type PostCursor, rankedMax } from './post-search.ts'
import { findPeople, findRooms, listFoundPosts } from './queries.ts'

/** A search starts when a person pauses while typing, about once in a second. */
const searches: LimitRule[] = [
  { name: 'search-texts', count: 60, seconds: 60, by: 'person' },
  { name: 'search-texts-of-address', count: 120, seconds: 60, by: 'address' },
]
/** How many searches of one caller run at the same time. The others wait for their turn (S58). */
const searchesAtOnce = 2
/** How long a search goes on in older posts until it has found one. The page can ask for the rest. */
const searchMs = 30
/** How long a search looks for the words in the posts of a page. The posts after this time show their first lines (S58). */
const markMs = 30

type SearchCall = Pick<Call<typeof search>, 'db' | 'viewer' | 'query' | 'clock'>

export function searchRoutes({ config }: { config: Config }): Route[] {
  const running = new OwnerSemaphores({ atOnce: searchesAtOnce, maxWaiting: Infinity })

  return [
    handle(search, withScope('any', everyone), { limits: searches }, async (call) => {
      const { q, kind, before, author, category, form, length, tag, from, to } = call.query
      if (before !== undefined && (kind === undefined || kind === 'people')) throw badCursor()
      const query = readTextQuery(q)
      if (query === undefined) return nothing
      const isOfPosts = [author, category, form, length, tag].some((filter) => filter !== undefined)
      const hasTime = from !== undefined || to !== undefined
      const time = {
        from: from && startOfDay(from, config.timeZone).toISOString(),
        to: to && startOfDay(addDays(to, 1), config.timeZone).toISOString(),
      }
      const asks = (one: SearchKind) => (kind ?? one) === one
      return running.run(idOf(call.viewer) ?? call.address, async () => ({
        posts: asks('posts') ? await searchPosts(call, query, time) : nothing.posts,
        people: asks('people') && !isOfPosts && !hasTime ? await searchPeople(call, query) : nothing.people,
        rooms:
          asks('rooms') && !isOfPosts
            ? await searchRooms(call, query, { ...time, isOpen: true })
            : nothing.rooms,
        stories:
          asks('stories') && !isOfPosts
            ? await searchRooms(call, query, { ...time, isOpen: false })
            : nothing.stories,
      }))
    }),
  ]
}

const nothing = {
  posts: { found: [], nextBefore: null },
  people: { found: [] },
  rooms: { found: [], nextBefore: null },
  stories: { found: [], nextBefore: null },
}

interface Time {
  from: string | undefined
  to: string | undefined
}

/** The newest matches of which a page is a part, and how many of them the pages before it have. */
interface Window {
  top: string | undefined
  offset: number
}

const cursorOf = (top: string, offset: number) => `${top}_${offset}`

function readWindow(before: string | undefined): Window {
  if (before === undefined) return { top: undefined, offset: 0 }
  const [, top, offset] = /^(.+)_(\d{1,3})$/.exec(before) ?? []
  if (top === undefined) throw badCursor()
  return { top, offset: Number(offset) }
}

/** A page of the matches of a window, and the cursor of the page after it: in the same window, or the first of the next one. */
function pageOf<Match>(
  matches: readonly Match[],
  { offset, limit, top, next }: Window & { limit: number; next: string | undefined },
) {
  const isLast = offset + limit >= matches.length || top === undefined
  const nextWindow = next === undefined ? null : cursorOf(next, 0)
  return {
    page: matches.slice(offset, offset + limit),
    nextBefore: isLast ? nextWindow : cursorOf(top, offset + limit),
  }
}

const byRank = (one: { rank: number }, other: { rank: number }) => other.rank - one.rank

const postCursorText = (cursor: PostCursor | undefined) =>
  cursor && `${Date.parse(cursor.publishedAt)}_${cursor.id}`

function readPostCursor(text: string | undefined): PostCursor | undefined {
  if (text === undefined) return undefined
  const [, ms, id] = /^(\d{1,14})_(.+)$/.exec(text) ?? []
  if (id === undefined || !isId(id)) throw badCursor()
  return { publishedAt: new Date(Number(ms)).toISOString(), id }
}

async function searchPosts({ db, viewer, query: asked, clock }: SearchCall, query: TextQuery, time: Time) {
  const { limit = foundAtOnce, order, author, category, form, length, tag } = asked
  const filters = Object.entries({ category, form, length, tag }).flatMap(([name, value]) =>
    value === undefined ? [] : [filterWord(name, value)],
  )
  let { top, offset } = readWindow(asked.before)
  const end = clock.monotonicMs() + searchMs
  for (;;) {
    const filter = { filters, author, ...time, top: readPostCursor(top) }
    const { matches, first, next } = await findPosts(db, idOf(viewer), query, filter)
    const inOrder = order === 'time' ? matches : matches.toSorted(byRank)
    const { page, nextBefore } = pageOf(inOrder, {
      offset,
      limit,
      top: top ?? postCursorText(first),
      next: postCursorText(next),
    })
    if (page.length > 0 || next === undefined || clock.monotonicMs() >= end) {
      const rows = await listFoundPosts(
        db,
        page.map(({ id }) => id),
      )
      const found: FoundPost[] = []
      let usedMs = 0
      for (const { content, ...row } of rows) {
        const startMs = clock.monotonicMs()
        const { title, body } = formOf(content)
        const isMarked = usedMs < markMs
        const titleOf = (text: string) => (isMarked ? marked(text, query) : { text, marks: [] })
        found.push({
          ...row,
          title: title === null ? null : titleOf(title),
          line: isMarked ? matchingLine(body, query) : firstLine(body),
        })
        usedMs += clock.monotonicMs() - startMs
        // Other requests run between two long texts (S51).
        await pause()
      }
      return { found, nextBefore }
    }
    top = postCursorText(next)
    offset = 0
  }
}

async function searchPeople({ db, viewer, query: { q, limit = foundAtOnce } }: SearchCall, query: TextQuery) {
  const rows = await findPeople(db, idOf(viewer), q.trim(), limit)
  return { found: rows.map((row): FoundPerson => ({ ...row, name: marked(row.name, query) })) }
}

async function searchRooms(
  { db, viewer, query: asked }: SearchCall,
  query: TextQuery,
  which: Time & { isOpen: boolean },
) {
  const { limit = foundAtOnce, order } = asked
  const { top, offset } = readWindow(asked.before)
  if (top !== undefined && !isId(top)) throw badCursor()
  // A token without the scope for rooms finds those that everybody finds.
  const memberId = hasScope(viewer, 'rooms') ? idOf(viewer) : null
  const rooms = await findRooms(db, memberId, query, { ...which, top })
  const ranked = rooms.slice(0, rankedMax)
  const { page, nextBefore } = pageOf(order === 'time' ? ranked : ranked.toSorted(byRank), {
    offset,
    limit,
    top: top ?? rooms[0]?.id,
    next: rooms[rankedMax]?.id,
  })
  const found = page.map(({ id, name, description, isPublic, expiresAt }): FoundRoom => ({
    id,
    name: marked(name, query),
    line: matchingLine(description, query),
    isPublic,
    expiresAt,
  }))
  return { found, nextBefore }
}
