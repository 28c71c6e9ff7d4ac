import { createHmac } from 'node:crypto'
import { dayAtOffset, dayOf } from '#contract/days.ts'
import {
  approvePost,
  approvePosts,
  createPost,
  feedDayMax,
  getFeedDay,
  getPost,
  listPendingPosts as listPendingPostsCall,
  oldestFeedDay,
  pendingPostsMax,
  submitPost,
} from '#contract/feed/endpoints.ts'
import type { Config } from '#server/config.ts'
import { listAdminNames } from '#server/features/account/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { type Call, handle, type Route } from '#server/platform/http/handle.ts'
import type { LimitRule } from '#server/platform/http/limits.ts'
import { admins, everyone, sameForAll } from '#server/platform/http/policy.ts'
import {
  badCursor,
  isId,
  isInstant,
  pageOf,
  readTimeCursor,
  timeCursorOf,
} from '#server/platform/http/paging.ts'
import { newId } from '#server/platform/ids.ts'
import { foldedName, isProductName } from './author-names.ts'
import { cursorOf, type FeedDays } from './feed-days.ts'
import {
  addPost,
  countOrigin,
  countPending,
  digestOf,
  type FeedCursor,
  findPost,
  findPublicPost,
  listPendingPosts,
  listPostsOfDay,
  lockSubmissions,
  publishPosts,
} from './queries.ts'

interface Deps {
  config: Config
  feedDays: FeedDays
  /** Keys the digests of client addresses, which are kept only to count what came from one. */
  addressKey: string
}

const textBodies = 512 * 1024
const visitorPosts: LimitRule[] = [
  { name: 'visitor-posts', count: 5, seconds: 600, by: 'address' },
  { name: 'visitor-posts-a-day', count: 20, seconds: 86_400, by: 'address' },
]
const personPosts: LimitRule = { name: 'posts', count: 60, seconds: 3600, by: 'person' }
const premiumPosts: LimitRule = { name: 'premium-posts', count: 10, seconds: 86_400, by: 'person' }
const maxWaitingOfAddress = 20
const maxWaiting = 5000

export function feedRoutes({ config, feedDays, addressKey }: Deps): Route[] {
  const today = (now: Date) => dayOf(now, config.timeZone)

  return [
    handle(getFeedDay, sameForAll, { cacheControl: 'public, no-cache' }, async (call) => {
      const { params, query, db, now, fail, setHeader } = call
      if (params.offset < 0) fail('FutureDay')
      if (params.offset > oldestFeedDay)
        fail('InvalidInput', { error: 'The feed does not go back that far.' })
      if (query.limit === undefined && query.before === undefined) {
        const { prepared, nextBefore } = await feedDays.get(params.offset)
        if (nextBefore !== undefined) setHeader('next-before', nextBefore)
        return prepared
      }
      const limit = query.limit ?? feedDayMax
      const day = dayAtOffset(now, config.timeZone, params.offset)
      const found = await listPostsOfDay(db, day, { limit: limit + 1, before: feedCursor(query.before) })
      return pageOf(call, found, limit, cursorOf)
    }),

    handle(
      getPost,
      sameForAll,
      async ({ db, params, fail }) => (await findPublicPost(db, params.id)) ?? fail('PostNotFound'),
    ),

    handle(submitPost, everyone, { bodyLimit: textBodies }, async (call) => {
      const { viewer, input, now, address, afterCommit, limit, db } = call
      const isPerson = viewer.kind === 'user' || viewer.kind === 'admin'
      if (isPerson) limit(personPosts)
      else for (const rule of visitorPosts) limit(rule)
      if (!isPerson) await refuseReservedName(call, input.authorName)
      const isPremium = input.type === 'premium'
      const publishes = isPremium && mayPublish(config.premiumPublish, isPerson)
      if (publishes && isPerson) limit(premiumPosts)
      const day = publishes ? today(now) : null
      const origin = isPerson ? null : createHmac('sha256', addressKey).update(address).digest('base64url')
      const post = await db.transaction(async (tx) => {
        if (config.limitsRates) await refuseFlood(tx, call, origin)
        return addPost(
          tx,
          {
            id: newId(call),
            content: input.content,
            authorName: input.authorName,
            authorId: viewer.kind === 'visitor' ? null : viewer.id,
            postType: isPremium ? 'premium' : 'standard',
            submittedFrom: origin,
          },
          { publishedOn: day },
        )
      })
      if (day !== null) afterCommit(() => feedDays.drop(day))
      const status = day === null ? ('pending' as const) : ('published' as const)
      return { id: post.id, status, createdAt: post.createdAt }
    }),

    handle(createPost, admins, { bodyLimit: textBodies }, async (call) => {
      const { db, input, viewer, now, afterCommit, audit } = call
      const day = today(now)
      const { content, authorName, postType, isVisible, imageUrl } = input
      const post = await addPost(
        db,
        {
          id: newId(call),
          content,
          authorName,
          authorId: viewer.id,
          postType,
          isVisible,
          imageUrl,
          submittedFrom: null,
        },
        { publishedOn: day },
      )
      await audit('post-creation', { subjectId: post.id })
      afterCommit(() => feedDays.drop(day))
      return post
    }),

    handle(listPendingPostsCall, admins, async (call) => {
      const limit = call.query.limit ?? pendingPostsMax
      const found = await listPendingPosts(call.db, {
        limit: limit + 1,
        before: readTimeCursor(call.query.before),
      })
      return pageOf(call, found, limit, timeCursorOf)
    }),

    handle(approvePost, admins, async ({ db, params, now, afterCommit, audit, fail }) => {
      const day = today(now)
      const changed = (await publish(db, [params.id], day)) ?? fail('PostNotFound')
      if (changed.length > 0) await audit('post-approval', { subjectId: params.id })
      afterCommit(() => feedDays.drop(day))
      return (await findPost(db, params.id)) ?? fail('PostNotFound')
    }),

    handle(approvePosts, admins, async ({ db, input, now, afterCommit, audit, fail }) => {
      const day = today(now)
      const approved = (await publish(db, [...new Set(input.postIds)], day)) ?? fail('UnknownPosts')
      for (const subjectId of approved) await audit('post-approval', { subjectId })
      afterCommit(() => feedDays.drop(day))
      return { approved }
    }),
  ]

  /** Visitors and guests cannot sign as the product or as one of its admins (S45). */
  async function refuseReservedName(
    { db, fail }: Pick<Call<typeof submitPost>, 'db' | 'fail'>,
    name: string,
  ) {
    const folded = foldedName(name)
    const isTaken =
      isProductName(name) || (await listAdminNames(db)).some((admin) => foldedName(admin) === folded)
    if (isTaken) fail('AuthorNameReserved')
  }
}

const publish = (db: Db, ids: string[], day: string) => db.transaction((tx) => publishPosts(tx, ids, day))

const mayPublish = (setting: Config['premiumPublish'], isPerson: boolean) =>
  setting === 'everyone' || (setting === 'registered' && isPerson)

/** What waits is bounded in all and for each address, and the same text does not wait twice (S47). */
async function refuseFlood(db: Db, { input, isLocal, fail }: Call<typeof submitPost>, origin: string | null) {
  if (origin === null) return
  await lockSubmissions(db, origin)
  const { waiting, same } = await countOrigin(db, origin, digestOf(input.content))
  if (same > 0) fail('SubmittedAlready')
  const isFull = (!isLocal && waiting >= maxWaitingOfAddress) || (await countPending(db)) >= maxWaiting
  if (isFull) fail('PendingListFull', { retryAfter: 3600 })
}

function feedCursor(before: string | undefined): FeedCursor | undefined {
  if (before === undefined) return undefined
  const [sortOrder = '', publishedAt, id] = before.split('_')
  if (!/^-?\d{1,9}$/.test(sortOrder) || !isInstant(publishedAt) || !isId(id)) throw badCursor()
  return { sortOrder: Number(sortOrder), publishedAt, id }
}
