import {
  changePost,
  deleteTakenBackPost,
  getOwnPost,
  getPostVersion,
  listOwnPostIds,
  listOwnTexts,
  listPostVersions,
  listTakenBackPosts,
  ownTextsMax,
  restorePost,
  takeBackPost,
  takenBackMax,
} from '#contract/feed/own/endpoints.ts'
import { listOwnPosts as listOwnPostsCall, ownPostsMax } from '#contract/feed/review/endpoints.ts'
import { done } from '#contract/schemas.ts'
import type { Needs } from '#server/feature.ts'
import { handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { readTimeCursor, Slice, sliceOf, timeCursorOf } from '#server/platform/http/answers/paging.ts'
import { guestsToo, people, withScope } from '#server/platform/http/endpoints/policy.ts'
import { newId } from '#server/platform/ids.ts'
import { statusOf } from './admin-posts.ts'
import { emitPublished } from './emit-published.ts'
import {
  changeOwnPost,
  editableOf,
  findOwnTexts,
  keepReplaced,
  listOwnPosts,
  listPublicPostIds,
  lockOwnTexts,
} from './own-posts.ts'
import { findOwnTextPage } from './own-texts.ts'
import { appearsWithoutReview } from './policy.ts'
import { personPosts, textBodies } from './routes.ts'
import { deleteTakenBack, isTakenBack, listTakenBack, restore, takeBack } from './taken-back.ts'
import { findVersion, listVersions } from './versions.ts'

const postReaders = withScope('posts:read', people)
const postWriters = withScope('posts:write', people)

type Deps = Pick<Needs, 'config' | 'events' | 'instance'>

/** Changes that readers see without review. */
const publishedChanges: LimitRule = { name: 'published-changes', count: 60, seconds: 86_400, by: 'person' }
/** Posts that are taken back, restored or deleted for good. */
const removals: LimitRule = { name: 'own-post-removals', count: 300, seconds: 3600, by: 'person' }

/** A page of long posts costs a tenth of a second. */
const textLists: LimitRule = { name: 'own-text-lists', count: 60, seconds: 60, by: 'person' }

/** The calls of authors about their own posts. A post of another person is answered as a missing one. */
export function ownRoutes({ config, events, instance }: Deps): Route[] {
  return [
    handle(listOwnPostsCall, withScope('posts:read', guestsToo), async (call) => {
      const { limit = ownPostsMax, before } = call.query
      const page = { limit, before: readTimeCursor(before) }
      const { posts, next } = await listOwnPosts(call.db, call.viewer.id, page)
      return new Slice(posts, next && timeCursorOf(next))
    }),

    handle(listOwnPostIds, postReaders, ({ db, viewer }) => listPublicPostIds(db, viewer.id)),

    handle(getOwnPost, postReaders, async ({ db, viewer, params, fail }) =>
      editableOf((await findOwnTexts(db, viewer.id, params.id)) ?? fail('PostNotFound')),
    ),

    handle(changePost, postWriters, { bodyLimit: textBodies }, async (call) => {
      const { db, viewer, params, input, afterCommit, limit, fail } = call
      const texts = (await lockOwnTexts(db, viewer.id, params.id)) ?? fail('PostNotFound')
      await limit(personPosts)
      const changed = await changeOwnPost(db, texts, {
        change: input,
        newId: () => newId(call),
        move: (toId) =>
          events.emitWithin('postIdChanged', db, { fromId: texts.post.id, toId, authorId: viewer.id }),
        async mayReplaceAtOnce(post) {
          const isAdmin = viewer.kind === 'admin'
          const isAllowed =
            (isAdmin || post.isVisible) &&
            (await appearsWithoutReview({ ...post, isAdmin }, { config, instance }))
          if (isAllowed) await limit(publishedChanges)
          return isAllowed
        },
      })
      if (changed.outcome === 'conflict') return fail('PostConflict', { current: changed.current })
      if (changed.isChangePublic) afterCommit(() => emitPublished(events, texts.post, config))
      return { id: changed.id, status: changed.status, createdAt: changed.writtenAt }
    }),

    handle(listPostVersions, postReaders, async ({ db, viewer, params, fail }) => {
      if ((await findOwnTexts(db, viewer.id, params.id)) === undefined) fail('PostNotFound')
      return listVersions(db, params.id, viewer.id)
    }),

    handle(
      getPostVersion,
      postReaders,
      async ({ db, viewer, params: { id: postId, versionId: id }, fail }) =>
        (await findVersion(db, { id, postId, authorId: viewer.id })) ?? fail('VersionNotFound'),
    ),

    handle(takeBackPost, postWriters, async (call) => {
      const { db, viewer, params, query, afterCommit, limit, fail } = call
      await limit(removals)
      const texts = await lockOwnTexts(db, viewer.id, params.id)
      // The caller repeats a call whose answer was lost.
      if (texts === undefined)
        return (await isTakenBack(db, viewer.id, params.id)) ? done : fail('PostNotFound')
      const { post, waiting } = texts
      if (waiting !== undefined && waiting.content !== post.content)
        await keepReplaced(db, { post, replaced: waiting, id: newId(call) })
      await takeBack(db, texts, query.kind, () => events.emitWithin('postTakenBack', db, post.id))
      const { publishedOn } = post
      if (publishedOn !== null) afterCommit(() => events.emit('feedDayChanged', publishedOn))
      return done
    }),

    handle(restorePost, postWriters, async ({ db, viewer, params: { id }, afterCommit, limit, fail }) => {
      await limit(removals)
      const place = { id, authorId: viewer.id, timeZone: config.timeZone }
      const post =
        (await restore(db, place, () => events.emitWithin('postRestored', db, id))) ?? fail('PostNotFound')
      afterCommit(() => emitPublished(events, post, config))
      return { id, status: statusOf(post), createdAt: post.createdAt }
    }),

    handle(listTakenBackPosts, postReaders, async ({ db, viewer, query }) => {
      const limit = query.limit ?? takenBackMax
      const page = { limit: limit + 1, before: readTimeCursor(query.before) }
      return sliceOf(await listTakenBack(db, viewer.id, page), limit, ({ takenBackAt, id }) =>
        timeCursorOf({ createdAt: takenBackAt, id }),
      )
    }),

    handle(listOwnTexts, postReaders, { limits: [textLists] }, async ({ db, viewer, query }) => {
      const { limit = ownTextsMax, before } = query
      const page = await findOwnTextPage(db, viewer.id, { limit, before: readTimeCursor(before) })
      return new Slice(page.texts, page.next && timeCursorOf(page.next))
    }),

    handle(deleteTakenBackPost, postWriters, async ({ db, viewer, params, limit, fail }) => {
      await limit(removals)
      if (!(await deleteTakenBack(db, viewer.id, params.id))) fail('PostNotFound')
      return done
    }),
  ]
}
