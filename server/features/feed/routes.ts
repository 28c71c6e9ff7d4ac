import type { InputOf } from '#contract/endpoint.ts'
import { createPost, submitPost } from '#contract/feed/endpoints.ts'
import { feedDayMax, getFeedDay, getPost, oldestFeedDay } from '#contract/feed/reading/endpoints.ts'
import { coverGone } from '#contract/covers/cover.ts'
import { feedErrors } from '#contract/feed/errors.ts'
import { type Post, premiumPostsPerDay } from '#contract/feed/post.ts'
import type { Config } from '#server/config.ts'
import type { Needs } from '#server/feature.ts'
import { createReservedNames } from '#server/features/account/index.ts'
import { removeDraft } from '#server/features/drafts/index.ts'
import { isPersonGone } from '#server/platform/person-gone.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { Finished } from '#server/platform/http/answers/finished.ts'
import { type Call, type Fail, handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import {
  admins,
  everyone,
  idOf,
  registeredIdOf,
  sameForAll,
  type Viewer,
  withScope,
} from '#server/platform/http/endpoints/policy.ts'
import { isInstant, sliceOf } from '#server/platform/http/answers/paging.ts'
import { newId } from '#server/platform/ids.ts'
import { addressDigest } from '#server/platform/instance.ts'
import { statusOf } from './admin-posts.ts'
import { feedCursorOf, readFeedCursor } from './cursor.ts'
import { emitPublished, emitPublishing } from './emit-published.ts'
import type { FeedDays } from './feed-days.ts'
import { mayPublish } from './policy.ts'
import {
  addPost,
  countOrigin,
  digestOf,
  findPublicPost,
  findReviewQueue,
  listPostsOfDay,
  lockSubmissions,
  type NewPost,
  publicationNow,
} from './queries.ts'
import { addScheduledPost, refusedDay, refusedTime } from './scheduled-posts.ts'
import { hasWatchedWord } from './watched-words.ts'

export interface Deps extends Pick<Needs, 'config' | 'clock' | 'events' | 'instance'> {
  feedDays: FeedDays
  /** The key of the digests of client addresses. The digests are stored to count the posts of one address. */
  addressKey: string
  /** Gives a post its uploaded cover. False when the address is that of an upload and of no unused cover. */
  assignCover: (
    db: Db,
    imageUrl: string,
    use: { postId: string } | { scheduledPostId: string },
  ) => Promise<boolean>
}

export const textBodies = 512 * 1024
const submission = {
  bodyLimit: textBodies,
  withoutTransaction: 'a plain submission is one statement, and all others open a transaction',
}
const visitorPosts: LimitRule[] = [
  { name: 'visitor-posts', count: 5, seconds: 600, by: 'address' },
  { name: 'visitor-posts-a-day', count: 20, seconds: 86_400, by: 'address' },
]
export const personPosts: LimitRule = { name: 'posts', count: 60, seconds: 3600, by: 'person' }
/** Premium posts that are scheduled, or published at once. */
export const premiumPosts: LimitRule = {
  name: 'premium-posts',
  count: premiumPostsPerDay,
  seconds: 86_400,
  by: 'person',
}
const maxWaitingOfAddress = 20
const maxWaiting = 5000

const feedDay = { cacheControl: 'public, no-cache', answersFromMemory: true } as const

export function feedRoutes({
  config,
  instance,
  clock,
  feedDays,
  addressKey,
  events,
  assignCover,
}: Deps): Route[] {
  const isReserved = createReservedNames(clock)
  return [
    handle(getFeedDay, withScope('posts:read', sameForAll), feedDay, async (call) => {
      const { params, query, db, setHeader, fail } = call
      if (params.offset < 0) fail('FutureDay')
      if (params.offset > oldestFeedDay)
        fail('InvalidInput', { error: 'The feed does not go back that far.' })
      const day = feedDays.dateAt(params.offset)
      setHeader('Feed-Day', day)
      if (query.limit === undefined && query.before === undefined)
        return new Finished(await feedDays.onDay(day).get(), () => feedDays.peek(params.offset))
      const limit = query.limit ?? feedDayMax
      const found = await listPostsOfDay(db, day, { limit: limit + 1, before: readFeedCursor(query.before) })
      return sliceOf(found, limit, feedCursorOf)
    }),

    handle(
      getPost,
      withScope('posts:read', sameForAll),
      async ({ db, params, fail }) => (await findPublicPost(db, params.id)) ?? fail('PostNotFound'),
    ),

    handle(submitPost, withScope('posts:write', everyone), submission, async (call) => {
      const { viewer, input, address, afterCommit, limit, now, db, fail } = call
      if (input.draftBase !== undefined && !isInstant(input.draftBase))
        fail('InvalidInput', { fields: { draftBase: 'draftBase is the updatedAt of an earlier answer.' } })
      const personId = registeredIdOf(viewer)
      const isPerson = personId !== null
      if (!isPerson && !instance.settings().submissions) fail('SubmissionsOff')
      await limit(...(isPerson ? [personPosts] : visitorPosts))
      // Visitors and guests cannot sign as the product or as one of its admins (S45).
      if (!isPerson && (await isReserved(db, input.authorName)))
        fail('AuthorNameReserved', { fields: { authorName: feedErrors.AuthorNameReserved.error } })
      const isPremium = input.type === 'premium'
      if (isPremium && !instance.settings().premium) fail('PremiumOff')
      const mayAppear = isPremium && mayPublish(config, isPerson)
      const { publishAt } = input
      if (publishAt !== null) {
        const refused = refusedSchedule({ isPerson, isPremium, mayAppear }) ?? refusedTime(publishAt, now)
        if (refused !== undefined) fail('InvalidInput', { fields: { publishAt: refused } })
      }
      if (mayAppear && isPerson) await limit(premiumPosts)
      // A scheduled post is compared at its time. Admins are the reviewers.
      const publishes =
        mayAppear &&
        publishAt === null &&
        (viewer.kind === 'admin' || !(await hasWatchedWord(input, instance)))
      const origin = isPerson ? null : addressDigest(address, addressKey)
      const newPost: NewPost = {
        id: newId(call),
        content: input.content,
        authorName: input.authorName,
        authorId: idOf(viewer),
        postType: isPremium ? 'premium' : 'standard',
        submittedFrom: origin,
        ...choicesOf(input),
      }
      const isCounted = origin !== null && config.limitsRates
      const { draftId, draftBase } = input
      const hasDraft = personId !== null && draftId !== undefined && draftBase !== undefined
      const submit = async (tx: Db) => {
        const scheduled =
          personId !== null && publishAt !== null
            ? await schedule(tx, { ...call, config }, { ...newPost, authorId: personId }, publishAt)
            : undefined
        if (hasDraft) await removeDraft(tx, personId, draftId, draftBase)
        if (scheduled) return scheduled
        if (isCounted) await refuseFlood(tx, call, origin)
        const publication = publishes ? await publicationNow(tx, config.timeZone) : undefined
        const post = await addPost(tx, newPost, publication)
        await emitPublishing(events, tx, post)
        afterCommit(() => emitPublished(events, post, config))
        return post
      }
      try {
        const post = await (publishes || isCounted || hasDraft || publishAt !== null
          ? db.transaction(submit)
          : addPost(db, newPost))
        return {
          id: post.id,
          status: publishAt === null ? statusOf(post) : ('scheduled' as const),
          createdAt: post.createdAt,
        }
      } catch (error) {
        if (isPersonGone(error)) fail('SignInRequired')
        throw error
      }
    }),

    handle(createPost, admins, { bodyLimit: textBodies, echoes: { content: 'content' } }, async (call) => {
      const { db, input, viewer, now, afterCommit, audit, fail } = call
      const { imageUrl, publishAt } = input
      const refused = publishAt === null ? undefined : refusedTime(publishAt, now)
      if (refused !== undefined) fail('InvalidInput', { fields: { publishAt: refused } })
      const newPost = {
        ...input,
        ...choicesOf(input),
        id: newId(call),
        authorId: viewer.id,
        submittedFrom: null,
      }
      const post =
        publishAt === null
          ? await addPost(db, newPost, await publicationNow(db, config.timeZone))
          : await schedule(db, { ...call, config }, newPost, publishAt)
      const use = publishAt === null ? { postId: post.id } : { scheduledPostId: post.id }
      if (imageUrl !== null && !(await assignCover(db, imageUrl, use)))
        fail('InvalidInput', { error: coverGone, fields: { imageUrl: coverGone } })
      await emitPublishing(events, db, post)
      await audit('post-creation', { subjectId: post.id })
      afterCommit(() => emitPublished(events, post, config))
      return post
    }),
  ]
}

/** What the author has chosen; what was left out is not chosen. */
const choicesOf = ({
  category = null,
  tags = [],
  form = null,
}: Pick<InputOf<typeof submitPost>, 'category' | 'tags' | 'form'>) => ({
  category,
  tags,
  form,
})

/** Says why this caller cannot schedule this post, at whatever time. */
function refusedSchedule({
  isPerson,
  isPremium,
  mayAppear,
}: Record<'isPerson' | 'isPremium' | 'mayAppear', boolean>): string | undefined {
  if (!isPerson) return 'Only a person with an account can schedule a post.'
  if (!isPremium) return 'Only a premium post can be scheduled.'
  return mayAppear ? undefined : 'Every post is reviewed first, so none can be scheduled.'
}

async function schedule(
  db: Db,
  { viewer, config, fail }: { viewer: Viewer; config: Config; fail: Fail<'ScheduledPostsFull'> },
  post: NewPost & { authorId: string },
  publishAt: string,
): Promise<Post> {
  const added = await addScheduledPost(db, post, publishAt)
  if (added === undefined)
    return fail('ScheduledPostsFull', { fields: { publishAt: feedErrors.ScheduledPostsFull.error } })
  const refused = viewer.kind === 'admin' ? undefined : await refusedDay(db, { ...post, publishAt }, config)
  return refused === undefined ? added : fail('InvalidInput', { fields: { publishAt: refused } })
}

/** Limits how many posts wait for review, in all and of one address, and refuses a text that was sent before (S47). */
async function refuseFlood(db: Db, { input, isLocal, fail }: Call<typeof submitPost>, origin: string) {
  await lockSubmissions(db)
  const { waiting, same } = await countOrigin(db, origin, digestOf(input.content))
  if (same > 0) fail('SubmittedAlready')
  const isFull =
    (!isLocal && waiting >= maxWaitingOfAddress) || (await findReviewQueue(db)).waiting >= maxWaiting
  if (isFull) fail('PendingListFull', { retryAfter: 3600 })
}
