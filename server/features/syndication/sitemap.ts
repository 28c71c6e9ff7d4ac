import type { FastifyRequest } from 'fastify'
import { postPath } from '#contract/feed/post.ts'
import { instancePagePath } from '#contract/instance/pages.ts'
import { personPath } from '#contract/people/paths.ts'
import { shelfPath, storyPath } from '#contract/rooms/paths.ts'
import type { Needs } from '#server/feature.ts'
import { feedCursorOf, readFeedCursor } from '#server/features/feed/index.ts'
import { pagesWithText } from '#server/features/instance/index.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import {
  badCursor,
  cursorIn,
  isPersonId,
  readTimeCursor,
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

interface Deps extends Pick<Needs, 'config' | 'database' | 'instance'> {
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
export function addSitemap(server: Server, { config, database, instance, maxOfFile = fileMax }: Deps) {
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

  const kinds = [
    kindOf({
      name: 'posts',
      list: (after, range) => listPostsInOrder(database, config.timeZone, after, range),
      entryOf: ({ id, changedAt }) => [postPath(id), changedAt],
      cursorOf: feedCursorOf,
      readCursor: readFeedCursor,
    }),
    kindOf({
      name: 'people',
      list: (after, range) => listPagesOfPeople(database, after, range),
      entryOf: ({ id, changedAt }) => (changedAt === null ? undefined : [personPath(id), changedAt]),
      cursorOf: ({ id }) => id,
      readCursor: readPersonCursor,
      listCursors: (after, range) => listPeopleInOrder(database, after, range),
      hasEntry: (after) => isPageAmong(database, after, maxOfFile),
    }),
    kindOf({
      name: 'stories',
      list: (after, range) => listStoriesInOrder(database, after, range),
      entryOf: ({ id, createdAt }) => [storyPath(id), createdAt],
      cursorOf: timeCursorOf,
      readCursor: readTimeCursor,
    }),
  ]

  /** The part that the query names: a kind of pages, and the cursor after which the part begins. */
  function partOf(request: FastifyRequest): Entries | undefined {
    const pages = cursorIn(request, 'pages')
    const parts = kinds.map((kind) => ({ kind, cursor: cursorIn(request, kind.name) }))
    if (pages !== undefined) return fixedPages()
    const part = parts.find(({ cursor }) => cursor !== undefined)
    return part?.kind.pages(part.cursor, maxOfFile)
  }

  async function* everything(): Entries {
    yield* fixedPages()
    for (const kind of kinds) yield* kind.pages(undefined, Infinity)
  }

  async function* fixedPages(): Entries {
    const [[post], [story]] = await Promise.all([
      listPostsInOrder(database, config.timeZone, undefined, { limit: 1 }),
      listStoriesInOrder(database, undefined, { limit: 1 }),
    ])
    const written = pagesWithText(instance.settings()).map((page): Entry => [instancePagePath(page)])
    yield [['/about'], ...written, ['/dashboard', post?.changedAt], [shelfPath, story?.createdAt]]
  }

  async function* parts(): Entries {
    yield [['/sitemap.xml?pages=']]
    for (const { name, starts } of kinds)
      for await (const cursor of starts(maxOfFile)) yield [[`/sitemap.xml?${name}=${cursor}`]]
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

/** A list of pages in the order of an index, from the row after a cursor on. */
interface Kind<Cursor, Row extends Cursor> {
  /** The parameter of the address of a part. */
  name: string
  list: (after: Cursor | undefined, range: Range) => PromiseLike<Row[]>
  /** Undefined for a row without a page. */
  entryOf: (row: Row) => Entry | undefined
  cursorOf: (row: Cursor) => string
  readCursor: (text: string | undefined) => Cursor | undefined
  /** The same rows with less work; left out, `list`. */
  listCursors?: (after: Cursor | undefined, range: Range) => PromiseLike<Cursor[]>
  /** Whether a part has an entry; left out, every row has one. */
  hasEntry?: (after: Cursor | undefined) => Promise<boolean>
}

function kindOf<Cursor, Row extends Cursor>({
  name,
  list,
  entryOf,
  cursorOf,
  readCursor,
  listCursors = list,
  hasEntry = async (after) => (await list(after, { limit: 1 })).length > 0,
}: Kind<Cursor, Row>) {
  async function* batches(after: Cursor | undefined, max: number): Entries {
    for (let left = max; left > 0; left -= batchMax) {
      const limit = Math.min(batchMax, left)
      const rows = await list(after, { limit })
      yield rows.map(entryOf).filter((entry) => entry !== undefined)
      if (rows.length < limit) return
      after = rows.at(-1)
    }
  }

  return {
    name,
    /** The entries after a cursor, in batches. The first part has an empty cursor. */
    pages: (cursor: string | undefined, max: number) => batches(readCursor(cursor || undefined), max),
    /**
     * The cursor of each part that has an entry. A part begins at the start of the list, or after the last row of a full
     * part.
     */
    async *starts(maxOfPart: number): AsyncGenerator<string, void> {
      for (let after: Cursor | undefined; ;) {
        if (await hasEntry(after)) yield after === undefined ? '' : cursorOf(after)
        const [last, next] = await listCursors(after, { offset: maxOfPart - 1, limit: 2 })
        if (next === undefined) return
        after = last
      }
    },
  }
}

function readPersonCursor(id: string | undefined): PersonCursor | undefined {
  if (id === undefined) return undefined
  if (!isPersonId(id)) throw badCursor()
  return { id }
}
