import type { FastifyRequest } from 'fastify'
import { postPath } from '#contract/feed/post.ts'
import { personPath } from '#contract/people/paths.ts'
import { shelfPath, storyPath } from '#contract/rooms/paths.ts'
import { PersonId } from '#contract/schemas.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/platform/database/pool.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import {
  badCursor,
  cursorIn,
  isId,
  isInstant,
  readTimeCursor,
  type TimeCursor,
  timeCursorOf,
} from '#server/platform/http/answers/paging.ts'
import { sameForAll } from '#server/platform/http/endpoints/policy.ts'
import { publicAddress } from '#server/platform/http/public-address.ts'
import type { Server } from '#server/platform/http/server.ts'
import { sendTexts } from '#server/platform/http/answers/streamed.ts'
import {
  areMoreThan,
  isPageAmong,
  listPagesOfPeople,
  listPeopleInOrder,
  listPostsInOrder,
  listStoriesInOrder,
  type PersonCursor,
  type PostCursor,
  type Range,
} from './sitemap-queries.ts'
import { tag, text } from './xml.ts'

/** How many addresses one file has. The format allows 50,000. */
const fileMax = 10_000
const batchMax = 1000

// On an instance with a million pages the index takes 100 queries, and each part takes ten.
const sitemapReads: LimitRule = { name: 'sitemaps', count: 60, seconds: 60, by: 'address' }
const route = { config: { policy: sameForAll, reads: sitemapReads } } as const
const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9'

interface Deps {
  config: Config
  database: Database
  /** Less in tests. */
  maxOfFile?: number
}

/** A path with the time of its last change, where there is one. */
type Entry = [path: string, changedAt?: string | undefined]
type Entries = AsyncGenerator<Entry[], void>

/**
 * Serves the addresses of all public pages, sent while they are read. One file lists them all. On a large instance it is an
 * index of parts, whose addresses hold a cursor: neither the index nor a part reads the rows before its own.
 */
export function addSitemap(server: Server, { config, database, maxOfFile = fileMax }: Deps) {
  server.app.get('/sitemap.xml', route, async (request, reply) => {
    const part = partOf(request)
    server.traffic.reserveStreamed(request, reply)
    reply.header('cache-control', 'public, no-cache').header('content-type', 'application/xml; charset=utf-8')
    if (part !== undefined) return sendTexts(request, reply, writeFile('urlset', 'url', part))
    const isIndex = await areMoreThan(database, maxOfFile)
    const texts = isIndex
      ? writeFile('sitemapindex', 'sitemap', parts())
      : writeFile('urlset', 'url', everything())
    return sendTexts(request, reply, texts)
  })

  /** The part that the query names: a kind of pages, and the cursor after which the part begins. */
  function partOf(request: FastifyRequest): Entries | undefined {
    const [pages, posts, people, stories] = ['pages', 'posts', 'people', 'stories'].map((name) =>
      cursorIn(request, name),
    )
    if (pages !== undefined) return fixedPages()
    if (posts !== undefined) return postPages(readPostCursor(posts), maxOfFile)
    if (people !== undefined) return peoplePages(readPersonCursor(people), maxOfFile)
    if (stories !== undefined) return storyPages(readTimeCursor(stories || undefined), maxOfFile)
    return undefined
  }

  async function* everything(): Entries {
    yield* fixedPages()
    yield* postPages(undefined, Infinity)
    yield* peoplePages(undefined, Infinity)
    yield* storyPages(undefined, Infinity)
  }

  async function* fixedPages(): Entries {
    const [[post], [story]] = await Promise.all([
      listPosts(undefined, { limit: 1 }),
      listStories(undefined, { limit: 1 }),
    ])
    yield [['/about'], ['/dashboard', post?.createdAt], [shelfPath, story?.createdAt]]
  }

  const postPages = (after: PostCursor | undefined, max: number) =>
    batches(after, max, listPosts, (post): Entry => [postPath(post.id), post.createdAt])

  const storyPages = (after: TimeCursor | undefined, max: number) =>
    batches(after, max, listStories, (story): Entry => [storyPath(story.id), story.createdAt])

  const peoplePages = (after: PersonCursor | undefined, max: number) =>
    batches(after, max, listPeople, ({ id, changedAt }): Entry | undefined =>
      changedAt === null ? undefined : [personPath(id), changedAt],
    )

  const listPosts = (after: PostCursor | undefined, range: Range) =>
    listPostsInOrder(database, config.timeZone, after, range)
  const listStories = (after: TimeCursor | undefined, range: Range) =>
    listStoriesInOrder(database, after, range)
  const listPeople = (after: PersonCursor | undefined, range: Range) =>
    listPagesOfPeople(database, after, range)
  const listPersonIds = (after: PersonCursor | undefined, range: Range) =>
    listPeopleInOrder(database, after, range)

  const hasRow =
    <Row>(list: (after: Row | undefined, range: Range) => PromiseLike<Row[]>) =>
    async (after: Row | undefined) =>
      (await list(after, { limit: 1 })).length > 0
  const hasPageOfPerson = (after: PersonCursor | undefined) => isPageAmong(database, after, maxOfFile)

  /** The addresses of the parts. */
  async function* parts(): Entries {
    yield [['/sitemap.xml?pages=']]
    yield* starts(
      listPosts,
      hasRow(listPosts),
      (post) => `/sitemap.xml?posts=${post === undefined ? '' : postCursorOf(post)}`,
    )
    yield* starts(
      listPersonIds,
      hasPageOfPerson,
      (person) => `/sitemap.xml?people=${person === undefined ? '' : person.id}`,
    )
    yield* starts(
      listStories,
      hasRow(listStories),
      (story) => `/sitemap.xml?stories=${story === undefined ? '' : timeCursorOf(story)}`,
    )
  }

  /**
   * The address of each part of a list that has an entry. A part begins at the start of the list, or after the last row of a
   * full part.
   */
  async function* starts<Row>(
    list: (after: Row | undefined, range: Range) => PromiseLike<Row[]>,
    hasEntry: (after: Row | undefined) => PromiseLike<boolean>,
    pathOf: (after: Row | undefined) => string,
  ): Entries {
    for (let after: Row | undefined; ;) {
      if (await hasEntry(after)) yield [[pathOf(after)]]
      const [last, next] = await list(after, { offset: maxOfFile - 1, limit: 2 })
      if (next === undefined) return
      after = last
    }
  }

  async function* writeFile(root: string, element: string, entries: Entries): AsyncGenerator<string, void> {
    // Sent with the first batch, so that a failure to read it is still answered with its own status.
    let start = `<?xml version="1.0" encoding="utf-8"?>\n<${root} xmlns="${namespace}">`
    for await (const batch of entries) {
      yield start + batch.map(([path, changedAt]) => entryOf(element, path, changedAt)).join('')
      start = ''
    }
    yield `${start}</${root}>\n`
  }

  const entryOf = (element: string, path: string, changedAt: string | undefined) =>
    `\n${tag(element, {}, [
      text('loc', publicAddress(config, path)),
      ...(changedAt === undefined ? [] : [text('lastmod', changedAt)]),
    ])}`
}

/** The entries of a list in batches, from the row after the cursor on. A row without an entry is left out. */
async function* batches<Cursor, Row extends Cursor>(
  after: Cursor | undefined,
  max: number,
  list: (after: Cursor | undefined, range: Range) => PromiseLike<Row[]>,
  entryOf: (row: Row) => Entry | undefined,
): Entries {
  for (let left = max; left > 0; left -= batchMax) {
    const limit = Math.min(batchMax, left)
    const rows = await list(after, { limit })
    yield rows.map(entryOf).filter((entry) => entry !== undefined)
    if (rows.length < limit) return
    after = rows.at(-1)
  }
}

const postCursorOf = (post: PostCursor) => `${post.sortOrder}_${timeCursorOf(post)}`

/** The first part has an empty cursor. */
function readPostCursor(cursor: string): PostCursor | undefined {
  if (cursor === '') return undefined
  const [sortOrder = '', createdAt, id] = cursor.split('_')
  if (!/^-?\d{1,9}$/.test(sortOrder) || !isInstant(createdAt) || !isId(id)) throw badCursor()
  return { sortOrder: Number(sortOrder), createdAt, id }
}

function readPersonCursor(id: string): PersonCursor | undefined {
  if (id === '') return undefined
  if (!PersonId.safeParse(id).success) throw badCursor()
  return { id }
}
