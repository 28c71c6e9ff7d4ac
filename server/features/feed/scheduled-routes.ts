import {
  changePublishTime,
  listScheduledPosts,
  publishScheduledPost,
  unschedulePost,
} from '#contract/feed/scheduled/endpoints.ts'
import { scheduledPostsMax } from '#contract/feed/scheduled/rules.ts'
import type { Needs } from '#server/feature.ts'
import { addDraft, findAfterRefusedChange, lockDrafts } from '#server/features/drafts/index.ts'
import { readTimeCursor, Slice, timeCursorOf } from '#server/platform/http/answers/paging.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { type Fail, handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import { people, withScope } from '#server/platform/http/endpoints/policy.ts'
import { newId } from '#server/platform/ids.ts'
import { statusOf } from './admin-posts.ts'
import { emitPublished, emitPublishing } from './emit-published.ts'
import { publicationNow } from './queries.ts'
import { premiumPosts } from './routes.ts'
import {
  listScheduled,
  lockScheduledPost,
  moveToPosts,
  refusedDay,
  refusedTime,
  removeScheduledPost,
  setPublishTime,
} from './scheduled-posts.ts'

const postReaders = withScope('posts:read', people)
const postWriters = withScope('posts:write', people)

export type Deps = Pick<Needs, 'config' | 'events' | 'vault' | 'instance'>

const limits: LimitRule[] = [{ name: 'scheduled-posts', count: 300, seconds: 3600, by: 'person' }]
/** A page of long posts costs a tenth of a second. */
const reads: LimitRule[] = [{ name: 'scheduled-post-lists', count: 60, seconds: 60, by: 'person' }]

/** The calls of authors about their scheduled posts. A post of another person is answered as a missing one. */
export function scheduledRoutes({ config, events, vault, instance }: Deps): Route[] {
  function refuseWhenOff(viewer: { kind: string }, row: { postType: string }, fail: Fail<'PremiumOff'>) {
    if (isLimited(viewer, row) && !instance.settings().premium) fail('PremiumOff')
  }

  return [
    handle(listScheduledPosts, postReaders, { limits: reads }, async ({ db, viewer, query }) => {
      const { limit = scheduledPostsMax, before } = query
      const page = await listScheduled(db, viewer.id, { limit, before: readTimeCursor(before) })
      return new Slice(page.posts, page.next && timeCursorOf(page.next))
    }),

    handle(changePublishTime, postWriters, { limits }, async ({ db, viewer, params, input, now, fail }) => {
      const { publishAt } = input
      const row = (await lockScheduledPost(db, viewer.id, params.id)) ?? fail('ScheduledPostNotFound')
      const { id } = row
      refuseWhenOff(viewer, row, fail)
      const refused =
        refusedTime(publishAt, now) ??
        (isLimited(viewer, row)
          ? await refusedDay(db, { id, authorId: viewer.id, publishAt }, config)
          : undefined)
      if (refused !== undefined) fail('InvalidInput', { fields: { publishAt: refused } })
      await setPublishTime(db, id, publishAt)
      return { id, publishAt }
    }),

    handle(publishScheduledPost, postWriters, { limits }, async (call) => {
      const { db, viewer, params, afterCommit, limit, fail } = call
      const row = (await lockScheduledPost(db, viewer.id, params.id)) ?? fail('ScheduledPostNotFound')
      refuseWhenOff(viewer, row, fail)
      if (isLimited(viewer, row)) await limit(premiumPosts)
      const post = await moveToPosts(db, row, {
        isAdmin: viewer.kind === 'admin',
        publication: await publicationNow(db, config.timeZone),
        config,
        instance,
        move: () => events.emitWithin('scheduledPostMoved', db, row.id),
      })
      await emitPublishing(events, db, post)
      afterCommit(() => emitPublished(events, post, config))
      return { id: post.id, status: statusOf(post), createdAt: post.createdAt }
    }),

    handle(unschedulePost, postWriters, { limits }, async (call) => {
      const { db, viewer, params, fail } = call
      const owner = { vault, userId: viewer.id }
      vault.refuseIfLocked()
      await lockDrafts(db, viewer.id)
      const row = (await lockScheduledPost(db, viewer.id, params.id)) ?? fail('ScheduledPostNotFound')
      const { content, authorName, category, tags, form } = row
      const postType = row.postType === 'premium' ? 'premium' : 'standard'
      const id = newId(call)
      const draft = { id, postId: null, content, authorName, postType, category, tags, form } as const
      if ((await addDraft(db, owner, draft)) === undefined) {
        await findAfterRefusedChange(db, owner, id)
        fail('DraftsFull')
      }
      await removeScheduledPost(db, row.id)
      return { id }
    }),
  ]
}

/** Whether the limits of premium posts hold for a scheduled post of this caller. */
const isLimited = (viewer: { kind: string }, { postType }: { postType: string }) =>
  viewer.kind !== 'admin' && postType === 'premium'
