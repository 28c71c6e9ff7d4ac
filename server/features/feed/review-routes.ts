import { dayOf, startOfDay } from '#contract/days.ts'
import {
  approvePost,
  approvePosts,
  listPendingPosts as listPendingPostsCall,
  pendingPostsMax,
} from '#contract/feed/endpoints.ts'
import type { PendingPost, Post } from '#contract/feed/post.ts'
import {
  adminPostsMax,
  changePostsVisibility,
  changePostVisibility,
  generateContent,
  listAdminPosts as listAdminPostsCall,
  listTodaysPosts,
} from '#contract/feed/review/endpoints.ts'
import type { InputOf } from '#contract/endpoint.ts'
import { promisedDays, soonDays } from '#contract/feed/waiting.ts'
import type { Needs } from '#server/feature.ts'
import { searchedText } from '#server/platform/http/endpoints/admin-search.ts'
import { type Fail, handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import { readTimeCursor, Slice, timeCursorOf } from '#server/platform/http/answers/paging.ts'
import { admins, moderators, type SignedIn } from '#server/platform/http/endpoints/policy.ts'
import { newId } from '#server/platform/ids.ts'
import { listAdminPosts, listPostsOfToday } from './admin-posts.ts'
import { carryOut, type Deciding, type Deps as DecidingDeps, sentenceOf } from './carry-out.ts'
import type { ChangedPost, Decision } from './decisions.ts'
import { generatedTexts } from './generated-texts.ts'
import { addPost, findPost, listPendingPosts, publicationNow } from './queries.ts'
import { watchedWordsIn } from './watched-words.ts'

type Deps = DecidingDeps & Pick<Needs, 'instance'>

const longerThanDays = { soon: promisedDays - soonDays, overdue: promisedDays }

export function reviewRoutes(deps: Deps): Route[] {
  const { config } = deps
  return [
    handle(listPendingPostsCall, moderators, async (call) => {
      const { limit = pendingPostsMax, before, order, due } = call.query
      const { posts, next } = await listPendingPosts(call.db, {
        isOldestFirst: order === 'oldest',
        longerThanDays: due && longerThanDays[due],
        limit,
        before: readTimeCursor(before),
      })
      const named: PendingPost[] = []
      for (const post of posts) {
        const watchedWords = await watchedWordsIn(post, deps.instance)
        named.push(watchedWords.length === 0 ? post : { ...post, watchedWords })
      }
      return new Slice(named, next && timeCursorOf(next))
    }),

    handle(listAdminPostsCall, moderators, async (call) => {
      const { db, clock } = call
      const { limit = adminPostsMax, before, status, isVisible } = call.query
      const text = await searchedText(call)
      const page = { limit, before: readTimeCursor(before) }
      const filter = { status, isVisible, text }
      const { posts, next } = await listAdminPosts(db, filter, page, () => clock.monotonicMs())
      return new Slice(posts, next && timeCursorOf(next))
    }),

    handle(listTodaysPosts, moderators, async ({ db, query, now }) => {
      const { limit = adminPostsMax, before } = query
      const day = dayOf(now, config.timeZone)
      const today = { day, start: startOfDay(day, config.timeZone) }
      const { posts, next } = await listPostsOfToday(db, today, { limit, before: readTimeCursor(before) })
      return new Slice(posts, next && timeCursorOf(next))
    }),

    handle(approvePost, moderators, { isRepeatable: true }, (call) =>
      changeOne(call, approvalBy(call.viewer, call.input?.reason)),
    ),

    handle(approvePosts, moderators, async (call) => {
      const { input, viewer } = call
      const changed = await changeMany(call, approvalBy(viewer, input.reason))
      return { approved: changed.map(({ decidedId }) => decidedId) }
    }),

    handle(changePostVisibility, moderators, { isRepeatable: true }, (call) =>
      changeOne(call, visibilityBy(call.viewer, call.input)),
    ),

    handle(changePostsVisibility, moderators, async (call) => {
      const { input, viewer } = call
      const changed = await changeMany(call, visibilityBy(viewer, input))
      return { changed: changed.map(({ decidedId }) => decidedId) }
    }),

    handle(generateContent, admins, async (call) => {
      const { db, input, viewer, random, audit } = call
      const publication = await publicationNow(db, config.timeZone)
      const posts = []
      for (const { content, authorName } of generatedTexts(input.count, input.category, random)) {
        const post = { content, authorName, authorId: viewer.id, postType: 'generated' as const }
        const hidden = { ...post, id: newId(call), isVisible: false, submittedFrom: null }
        posts.push(await addPost(db, hidden, publication))
      }
      await audit('post-generation', { subjectId: posts.map(({ id }) => id) })
      return { posts }
    }),
  ]

  /** Decides about the post of a call that names one, or refuses the call. */
  async function changeOne(
    call: Deciding & { params: { id: string }; fail: Fail<'PostNotFound' | 'PostDecided' | 'OwnPost'> },
    decision: Decision,
  ): Promise<Post> {
    const { db, params, fail } = call
    const decided = await carryOut(call, deps, [params.id], decision)
    if (decided.outcome === 'unknown') return fail('PostNotFound')
    if (decided.outcome === 'own') return fail('OwnPost')
    if (decided.outcome === 'conflict')
      return fail('PostDecided', { error: sentenceOf(decided, decision, 1) })
    return (await findPost(db, decided.changed[0]?.id ?? params.id)) ?? fail('PostNotFound')
  }

  /** Decides about all posts of a call that names many, or refuses the call. */
  async function changeMany(
    call: Deciding & {
      input: { postIds: string[] }
      fail: Fail<'UnknownPosts' | 'PostDecided' | 'OwnPost'>
    },
    decision: Decision,
  ): Promise<ChangedPost[]> {
    const ids = [...new Set(call.input.postIds)]
    const decided = await carryOut(call, deps, ids, decision)
    if (decided.outcome === 'unknown') return call.fail('UnknownPosts')
    if (decided.outcome === 'own') return call.fail('OwnPost')
    if (decided.outcome === 'conflict')
      return call.fail('PostDecided', { error: sentenceOf(decided, decision, ids.length) })
    return decided.changed
  }
}

/** An admin or a moderator. A moderator decides about no own post. */
type Decider = SignedIn<'moderator' | 'admin'>

const byDecider = ({ id, kind }: Decider) => ({ adminId: id, mayDecideOwn: kind === 'admin' })

const approvalBy = (decider: Decider, reason: string | undefined): Decision => ({
  ...byDecider(decider),
  kind: 'approve',
  reason,
  isWaiting: true,
})

const visibilityBy = (
  decider: Decider,
  { isVisible, reason, isWaiting = false }: InputOf<typeof changePostVisibility>,
): Decision => ({ ...byDecider(decider), kind: isVisible ? 'show' : 'hide', reason, isWaiting })
