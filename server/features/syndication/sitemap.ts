import type { FastifyRequest } from 'fastify'
import { personPath } from '#contract/people/paths.ts'
import { PersonId } from '#contract/schemas.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/platform/database/pool.ts'
import {
  badCursor,
  cursorIn,
  isId,
  isInstant,
  readTimeCursor,
  timeCursorOf,
} from '#server/platform/http/paging.ts'
import { sameForAll } from '#server/platform/http/policy.ts'
import { publicAddress } from '#server/platform/http/public-address.ts'
import type { Server } from '#server/platform/http/server.ts'
import { sendTexts } from '#server/platform/http/streamed.ts'
import {
  areMoreThan,
  listPagesOfPeople,
  listPeopleInOrder,
  listPostsInOrder,
  listStoriesInOrder,
  type PostCursor,
} from './sitemap-queries.ts'
import { tag, text } from './xml.ts'

/** The addresses of one file. Its format allows 50,000. */
const partMax = 10_000
const batchMax = 1000

const route = { schema: { hide: true }, config: { policy: sameForAll } } as const
const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9'

interface Deps {
  config: Config
  database: Database
  /** Less in tests. */
  maxOfFile?: number
}

/** An address with the time of its last change, where there is one. */
type Entry = [path: string, changedAt?: string | undefined]
type Entries = AsyncGenerator<Entry[], void>

/**
 * Serves the addresses of all public pages, sent while they are read. One file lists them all. On a large instance it is an
 * index of parts, whose addresses hold a cursor: neither the index nor a part reads the rows before its own.
 */
export function addSitemap(server: Server, { config, database, maxOfFile = partMax }: Deps) {
  server.app.get('/sitemap.xml', route, async (request, reply) => {
    const part = partOf(request)
    server.traffic.reserveStreamed(request, reply)
    reply.header('cache-control', 'public, no-cache').header('content-type', 'application/xml; charset=utf-8')
    if (part !== undefined) return sendTexts(request, reply, written('urlset', 'url', part))
    const isIndex = await areMoreThan(database, maxOfFile)
    const texts = isIndex
      ? written('sitemapindex', 'sitemap', parts())
      : written('urlset', 'url', everything())
    return sendTexts(request, reply, texts)
  })

  /** The part that the query names: a kind of pages, and the cursor behind which it begins. */
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
      listPostsInOrder(database, config.timeZone, undefined, { limit: 1 }),
      listStoriesInOrder(database, undefined, { limit: 1 }),
    ])
    yield [['/about'], ['/dashboard', post?.createdAt], ['/projects/finished', story?.createdAt]]
  }

  const postPages = (after: PostCursor | undefined, max: number) =>
    batches(after, max, listPosts, (post): Entry => [`/posts/${post.id}`, post.createdAt])

  const storyPages = (after: { createdAt: string; id: string } | undefined, max: number) =>
    batches(after, max, listStories, (story): Entry => [`/stories/${story.id}`, story.createdAt])

  async function* peoplePages(after: string | undefined, max: number): Entries {
    for (let left = max; left > 0; left -= batchMax) {
      const limit = Math.min(batchMax, left)
      const people = await listPagesOfPeople(database, after, limit)
      yield people.flatMap(({ id, changedAt }): Entry[] =>
        changedAt === null ? [] : [[personPath(id), changedAt]],
      )
      if (people.length < limit) return
      after = people.at(-1)!.id
    }
  }

  const listPosts = (after: PostCursor | undefined, range: { offset?: number; limit: number }) =>
    listPostsInOrder(database, config.timeZone, after, range)
  const listStories = (
    after: { createdAt: string; id: string } | undefined,
    range: { offset?: number; limit: number },
  ) => listStoriesInOrder(database, after, range)
  const listPeople = (after: { id: string } | undefined, range: { offset?: number; limit: number }) =>
    listPeopleInOrder(database, after?.id, range)

  /** The addresses of the parts. */
  async function* parts(): Entries {
    yield [['/sitemap.xml?pages=']]
    yield* starts(listPosts, (post) => `/sitemap.xml?posts=${post === undefined ? '' : postCursorOf(post)}`)
    yield* starts(listPeople, (person) => `/sitemap.xml?people=${person === undefined ? '' : person.id}`)
    yield* starts(
      listStories,
      (story) => `/sitemap.xml?stories=${story === undefined ? '' : timeCursorOf(story)}`,
    )
  }

  /** The address of each part of a list: the first part, and one behind every last row of a full part. */
  async function* starts<Row>(
    list: (after: Row | undefined, range: { offset: number; limit: number }) => PromiseLike<Row[]>,
    pathOf: (after: Row | undefined) => string,
  ): Entries {
    for (let after: Row | undefined; ;) {
      yield [[pathOf(after)]]
      const [last, next] = await list(after, { offset: maxOfFile - 1, limit: 2 })
      if (next === undefined) return
      after = last
    }
  }

  async function* written(root: string, element: string, entries: Entries): AsyncGenerator<string, void> {
    const [start, end] = tag(root, { xmlns: namespace }, ['|']).split('|')
    let before = `<?xml version="1.0" encoding="utf-8"?>\n${start}`
    for await (const batch of entries) {
      yield before + batch.map(([path, changedAt]) => entryOf(element, path, changedAt)).join('')
      before = ''
    }
    yield `${before}${end}\n`
  }

  const entryOf = (element: string, path: string, changedAt: string | undefined) =>
    `\n${tag(element, {}, [
      text('loc', publicAddress(config, path)),
      ...(changedAt === undefined ? [] : [text('lastmod', changedAt)]),
    ])}`
}

/** A list in batches, from behind a row on. */
async function* batches<Row>(
  after: Row | undefined,
  max: number,
  list: (after: Row | undefined, range: { limit: number }) => PromiseLike<Row[]>,
  entryOf: (row: Row) => Entry,
): Entries {
  for (let left = max; left > 0; left -= batchMax) {
    const limit = Math.min(batchMax, left)
    const rows = await list(after, { limit })
    yield rows.map(entryOf)
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

function readPersonCursor(cursor: string): string | undefined {
  if (cursor !== '' && !PersonId.safeParse(cursor).success) throw badCursor()
  return cursor || undefined
}
