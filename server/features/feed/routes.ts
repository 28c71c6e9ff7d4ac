import { dayAtOffset } from '#contract/days.ts'
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
import type { Post } from '#contract/feed/post.ts'
import type { Config } from '#server/config.ts'
import { createReservedNames } from '#server/features/account/index.ts'
import { isPersonGone } from '#server/platform/personal-data.ts'
import type { Clock } from '#server/platform/clock.ts'
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
import { addressDigest } from '#server/platform/instance.ts'
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
  type NewPost,
  publicationNow,
  publishPosts,
} from './queries.ts'

interface Deps {
  config: Config
  clock: Clock
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

export function feedRoutes({ config, clock, feedDays, addressKey }: Deps): Route[] {
  const isReserved = createReservedNames(clock)
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
      const { viewer, input, address, afterCommit, limit, db, fail } = call
      const isPerson = viewer.kind === 'user' || viewer.kind === 'admin'
      if (isPerson) limit(personPosts)
      else for (const rule of visitorPosts) limit(rule)
      // Visitors and guests cannot sign as the product or as one of its admins (S45).
      if (!isPerson && (await isReserved(db, input.authorName))) fail('AuthorNameReserved')
      const isPremium = input.type === 'premium'
      const publishes = isPremium && mayPublish(config.premiumPublish, isPerson)
      if (publishes && isPerson) limit(premiumPosts)
      const origin = isPerson ? null : addressDigest(address, addressKey)
      const newPost: NewPost = {
        id: newId(call),
        content: input.content,
        authorName: input.authorName,
        authorId: viewer.kind === 'visitor' ? null : viewer.id,
        postType: isPremium ? 'premium' : 'standard',
        submittedFrom: origin,
      }
      const isCounted = origin !== null && config.limitsRates
      const submit = async (tx: Db) => {
        if (isCounted) await refuseFlood(tx, call, origin)
        const publication = publishes ? await publicationNow(tx, config.timeZone) : undefined
        if (publication) afterCommit(() => feedDays.drop(publication.publishedOn))
        return addPost(tx, newPost, publication)
      }
      try {
        // One statement needs no transaction.
        const post = await (publishes || isCounted ? db.transaction(submit) : addPost(db, newPost))
        return { id: post.id, status: statusOf(post), createdAt: post.createdAt }
      } catch (error) {
        if (isPersonGone(error)) fail('SignInRequired')
        throw error
      }
    }),

    handle(createPost, admins, { bodyLimit: textBodies, isAtomic: true }, async (call) => {
      const { db, input, viewer, afterCommit, audit } = call
      const { content, authorName, postType, isVisible, imageUrl } = input
      const publication = await publicationNow(db, config.timeZone)
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
        publication,
      )
      await audit('post-creation', { subjectId: post.id })
      afterCommit(() => feedDays.drop(publication.publishedOn))
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

    handle(approvePost, admins, { isAtomic: true, isRepeatable: true }, async (call) => {
      const { db, params, fail } = call
      if ((await approve(call, [params.id])) === undefined) fail('PostNotFound')
      return (await findPost(db, params.id)) ?? fail('PostNotFound')
    }),

    handle(approvePosts, admins, { isAtomic: true }, async (call) => {
      const { input, fail } = call
      return { approved: (await approve(call, [...new Set(input.postIds)])) ?? fail('UnknownPosts') }
    }),
  ]

  /** Publishes what still waits of these, all or none; undefined when one does not exist. */
  async function approve(
    { db, audit, afterCommit }: Pick<Call, 'db' | 'audit' | 'afterCommit'>,
    ids: string[],
  ) {
    const published = await publishPosts(db, ids, config.timeZone)
    if (published === undefined) return undefined
    const { approved, publishedOn } = published
    if (approved.length > 0) {
      await audit('post-approval', { subjectId: approved })
      afterCommit(() => feedDays.drop(publishedOn))
    }
    return approved
  }
}

const statusOf = (post: Post): 'pending' | 'published' =>
  post.publishedAt === null ? 'pending' : 'published'

const mayPublish = (setting: Config['premiumPublish'], isPerson: boolean) =>
  setting === 'everyone' || (setting === 'registered' && isPerson)

/** What waits is bounded in all and for each address, and the same text does not wait twice (S47). */
async function refuseFlood(db: Db, { input, isLocal, fail }: Call<typeof submitPost>, origin: string) {
  await lockSubmissions(db)
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
