import { and, desc, eq, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { AdminPost } from '#contract/feed/review/endpoints.ts'
import { personName, users } from '#server/features/account/index.ts'
import { contains, longContains } from '#server/platform/database/contains.ts'
import { isAfter } from '#server/platform/database/keyset.ts'
import type { Db } from '#server/platform/database/pool.ts'
import type { TimeCursor, TimeSlice } from '#server/platform/http/answers/paging.ts'
import { endOfPage, isFullPage, sizeFields } from './page-bytes.ts'
import { isCounted, postFields } from './queries.ts'
import { posts } from './schema.ts'
import { findCandidates } from './trigrams.ts'

export interface AdminPostFilter {
  status?: 'pending' | 'published' | undefined
  isVisible?: boolean | undefined
  /** A part of the content or of the name of the author. */
  text?: string | undefined
}

interface FoundPosts {
  posts: AdminPost[]
  /** The place after which the next page begins; undefined at the end of the list. */
  next: TimeCursor | undefined
}

/**
 * One statement of a search examines this many posts, so that the longest texts stay within the statement timeout, also when
 * ten admins search at once.
 */
const examinedAtOnce = 500
/** So many parts are read before a search asks the index: the newest 2,000 posts. */
const partsBeforeIndex = 4
/**
 * A search compares at most this many of the posts that the index finds. If there are more, the text is so frequent that
 * reading the posts in their order fills a page sooner.
 */
const candidatesMax = 10_000
const searchMs = 1000

/**
 * Posts as admins list them, newest first. A search first reads the newest posts: they fill a page when the text is frequent.
 * Then it reads the posts that an index finds. If these are too many, or the text has no trigram, it goes on reading in parts,
 * until it has a page or a second is over. The next page then begins after the last post that was examined.
 */
export async function listAdminPosts(
  db: Db,
  { text, ...filter }: AdminPostFilter,
  { limit, before }: TimeSlice,
  monotonicMs: () => number,
): Promise<FoundPosts> {
  const conditions = conditionsOf(filter)
  if (text === undefined)
    return readPage(
      db,
      await sizedPosts(db, and(conditions, isAfter(before, posts.createdAt, posts.id)), limit),
      limit,
    )
  const end = monotonicMs() + searchMs
  const found: AdminPost[] = []
  let [from, bytes] = [before, 0]
  let candidates: TimeCursor[] | undefined
  for (let parts = 1; ; parts++) {
    const examined = candidates?.splice(0, examinedAtOnce)
    const part = and(
      conditions,
      isAfter(from, posts.createdAt, posts.id),
      examined && hasId(examined.map(({ id }) => id)),
    )
    const left = limit - found.length
    const page = await readPage(db, await searchPart(db, part, text, left), left, bytes)
    found.push(...page.posts)
    if (page.next !== undefined) return { posts: found, next: page.next }
    bytes = page.bytes
    if (candidates === undefined) from = await findLastExamined(db, part)
    else from = candidates.length > 0 ? examined!.at(-1) : undefined
    if (from === undefined) return { posts: found, next: undefined }
    const isFull = found.length === limit || isFullPage(bytes)
    if (isFull || monotonicMs() >= end) return { posts: found, next: from }
    if (parts !== partsBeforeIndex) continue
    candidates = await listCandidates(db, and(conditions, isAfter(from, posts.createdAt, posts.id)), text)
    if (candidates?.length === 0) return { posts: found, next: undefined }
  }
}

/** The posts with this condition that may have the text, newest first. Undefined if the index finds too many. */
async function listCandidates(
  db: Db,
  condition: SQL | undefined,
  text: string,
): Promise<TimeCursor[] | undefined> {
  const ids = await findCandidates(db, text, candidatesMax)
  if (ids === undefined || ids.length === 0) return ids && []
  return db
    .select({ createdAt: posts.createdAt, id: posts.id })
    .from(posts)
    .where(and(condition, hasId(ids)))
    .orderBy(desc(posts.createdAt), desc(posts.id))
}

const hasId = (ids: string[]) => sql`${posts.id} = any(${sql.param(ids)}::uuid[])`

/** The posts that were published or submitted on a day. */
export async function listPostsOfToday(
  db: Db,
  today: { day: string; start: Date },
  { limit, before }: TimeSlice,
): Promise<FoundPosts> {
  const { submitted, publishedLater } = idsOfToday(db, today, { limit, before })
  const isOfToday = sql`${posts.id} in (${submitted} union all ${publishedLater})`
  return readPage(db, await sizedPosts(db, isOfToday, limit), limit)
}

/**
 * The posts of a day in two parts, each of which has its own index: the posts that were submitted on the day, and older
 * posts that were published on it. A generated post that was not shown yet was submitted when it was published.
 */
export function idsOfToday(
  db: Db,
  { day, start }: { day: string; start: Date },
  { limit, before }: TimeSlice,
) {
  const startsAt = sql`${start.toISOString()}::timestamptz`
  const newest = (condition: SQL) =>
    db
      .select({ id: posts.id })
      .from(posts)
      .where(and(condition, isAfter(before, posts.createdAt, posts.id)))
      .orderBy(desc(posts.createdAt), desc(posts.id))
      .limit(limit + 1)
  return {
    submitted: newest(sql`${posts.createdAt} >= ${startsAt}`),
    publishedLater: newest(
      sql`${posts.publishedOn} = ${day}::date and ${isCounted} and ${posts.createdAt} < ${startsAt}`,
    ),
  }
}

function conditionsOf({ status, isVisible }: AdminPostFilter): SQL | undefined {
  return and(
    status && (status === 'pending' ? isNull(posts.publishedAt) : isNotNull(posts.publishedAt)),
    isVisible === true ? sql`posts.is_visible` : undefined,
    // Written exactly as the condition of the index `posts_hidden`, so that Postgres uses it.
    isVisible === false ? sql`not posts.is_visible` : undefined,
  )
}

/** The last of the posts that a part of a search examined; undefined when it examined all that there are. */
async function findLastExamined(db: Db, condition: SQL | undefined): Promise<TimeCursor | undefined> {
  const [last] = await db
    .select({ createdAt: posts.createdAt, id: posts.id })
    .from(posts)
    .where(condition)
    .orderBy(desc(posts.createdAt), desc(posts.id))
    .offset(examinedAtOnce - 1)
    .limit(1)
  return last
}

/** The newest posts with this condition: one more than a page has. */
const sizedPosts = (db: Db, condition: SQL | undefined, limit: number) =>
  db
    .select(sizeFields)
    .from(posts)
    .where(condition)
    .orderBy(desc(posts.createdAt), desc(posts.id))
    .limit(limit + 1)

/** Examines one part of the posts with this condition, until more posts than a page has contain the text. */
function searchPart(db: Db, condition: SQL | undefined, text: string, limit: number) {
  const { id, createdAt, content, authorName } = posts
  const examined = db
    .select({ id, createdAt, content, authorName })
    .from(posts)
    .where(condition)
    .orderBy(desc(createdAt), desc(id))
    .limit(examinedAtOnce)
    .as('examined')
  return db
    .select({
      id: examined.id,
      createdAt: examined.createdAt,
      bytes: sql<number>`octet_length(${examined.content})`,
    })
    .from(examined)
    .where(or(contains([examined.authorName], text), longContains(examined.content, text)))
    .orderBy(desc(examined.createdAt), desc(examined.id))
    .limit(limit + 1)
}

async function readPage(
  db: Db,
  sized: Parameters<typeof endOfPage>[0],
  limit: number,
  bytesBefore?: number,
): Promise<FoundPosts & { bytes: number }> {
  const { ids, next, bytes } = endOfPage(sized, limit, bytesBefore)
  if (ids.length === 0) return { posts: [], next, bytes }
  const rows = await db
    .select({
      ...postFields,
      replacesId: posts.replacesId,
      decidedAt: posts.decidedAt,
      decidedBy: personName('users'),
      reason: posts.decisionReason,
    })
    .from(posts)
    .leftJoin(users, eq(users.id, posts.decidedById))
    .where(hasId(ids))
    .orderBy(desc(posts.createdAt), desc(posts.id))
  return { posts: rows.map((row) => ({ ...row, status: statusOf(row) })), next, bytes }
}

export const statusOf = ({ publishedAt }: { publishedAt: string | null }): 'pending' | 'published' =>
  publishedAt === null ? 'pending' : 'published'
