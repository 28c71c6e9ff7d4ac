import { dayOf, startOfDay } from '#contract/days.ts'
import {
  approvePost,
  approvePosts,
  listPendingPosts as listPendingPostsCall,
  pendingPostsMax,
} from '#contract/feed/endpoints.ts'
import type { Post } from '#contract/feed/post.ts'
import type { InboxEvents } from '#contract/inbox/live.ts'
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
import type { Config } from '#server/config.ts'
import type { DomainEvents } from '#server/domain-events.ts'
import { notifyPeople } from '#server/features/inbox/index.ts'
import { searchedText } from '#server/platform/http/endpoints/admin-search.ts'
import { type Call, type Fail, handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import { readTimeCursor, Slice, timeCursorOf } from '#server/platform/http/answers/paging.ts'
import { admins } from '#server/platform/http/endpoints/policy.ts'
import { newId } from '#server/platform/ids.ts'
import { listAdminPosts, listPostsOfToday } from './admin-posts.ts'
import { type ChangedPost, type Conflict, decide, type Decision, type Decided } from './decisions.ts'
import { generatedTexts } from './generated-texts.ts'
import { addPost, findPost, listPendingPosts, publicationNow } from './queries.ts'

interface Deps {
  config: Config
  events: DomainEvents
}

const auditActions = { approve: 'post-approval', hide: 'post-hidden', show: 'post-shown' } as const

const longerThanDays = { soon: promisedDays - soonDays, overdue: promisedDays }

/** The calls of admins about posts. */
export function reviewRoutes({ config, events }: Deps): Route[] {
  return [
    handle(listPendingPostsCall, admins, async (call) => {
      const { limit = pendingPostsMax, before, order, due } = call.query
      const { posts, next } = await listPendingPosts(call.db, {
        isOldestFirst: order === 'oldest',
        longerThanDays: due && longerThanDays[due],
        limit,
        before: readTimeCursor(before),
      })
      return new Slice(posts, next && timeCursorOf(next))
    }),

    handle(listAdminPostsCall, admins, async (call) => {
      const { db, clock } = call
      const { limit = adminPostsMax, before, status, isVisible } = call.query
      const text = await searchedText(call)
      const page = { limit, before: readTimeCursor(before) }
      const filter = { status, isVisible, text }
      const { posts, next } = await listAdminPosts(db, filter, page, () => clock.monotonicMs())
      return new Slice(posts, next && timeCursorOf(next))
    }),

    handle(listTodaysPosts, admins, async ({ db, query, now }) => {
      const { limit = adminPostsMax, before } = query
      const day = dayOf(now, config.timeZone)
      const today = { day, start: startOfDay(day, config.timeZone) }
      const { posts, next } = await listPostsOfToday(db, today, { limit, before: readTimeCursor(before) })
      return new Slice(posts, next && timeCursorOf(next))
    }),

    handle(approvePost, admins, { isRepeatable: true }, (call) =>
      changeOne(call, approvalBy(call.viewer, call.input?.reason)),
    ),

    handle(approvePosts, admins, async (call) => {
      const { input, viewer } = call
      const changed = await changeMany(call, approvalBy(viewer, input.reason))
      return { approved: changed.map(({ decidedId }) => decidedId) }
    }),

    handle(changePostVisibility, admins, { isRepeatable: true }, (call) =>
      changeOne(call, visibilityBy(call.viewer, call.input)),
    ),

    handle(changePostsVisibility, admins, async (call) => {
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
    call: Deciding & { params: { id: string }; fail: Fail<'PostNotFound' | 'PostDecided'> },
    decision: Decision,
  ): Promise<Post> {
    const { db, params, fail } = call
    const decided = await carryOut(call, [params.id], decision)
    if (decided.outcome === 'unknown') return fail('PostNotFound')
    if (decided.outcome === 'conflict')
      return fail('PostDecided', { error: sentenceOf(decided, decision, 1) })
    return (await findPost(db, decided.changed[0]?.id ?? params.id)) ?? fail('PostNotFound')
  }

  /** Decides about all posts of a call that names many, or refuses the call. */
  async function changeMany(
    call: Deciding & {
      input: { postIds: string[] }
      fail: Fail<'UnknownPosts' | 'PostDecided'>
    },
    decision: Decision,
  ): Promise<ChangedPost[]> {
    const ids = [...new Set(call.input.postIds)]
    const decided = await carryOut(call, ids, decision)
    if (decided.outcome === 'unknown') return call.fail('UnknownPosts')
    if (decided.outcome === 'conflict')
      return call.fail('PostDecided', { error: sentenceOf(decided, decision, ids.length) })
    return decided.changed
  }

  /** Decides, writes the audit log, tells the authors and drops the days of the feed that changed. */
  async function carryOut(call: Deciding, ids: string[], decision: Decision): Promise<Decided> {
    const decided = await decide(call.db, ids, decision, {
      timeZone: config.timeZone,
      newId: () => newId(call),
    })
    if (decided.outcome !== 'done' || decided.changed.length === 0) return decided
    const { kind, reason } = decision
    await call.audit(auditActions[kind], {
      subjectId: decided.changed.map(({ id }) => id),
      ...(reason && { details: { reason } }),
    })
    call.afterCommit(() => {
      for (const day of new Set(decided.changed.map(({ publishedOn }) => publishedOn)))
        if (day !== null) events.emit('feedDayChanged', day)
      const published = decided.changed.flatMap(({ id, isVisible, publishedOn }) =>
        publishedOn === null || !isVisible ? [] : id,
      )
      if (published.length > 0) events.emit('postsPublished', published)
    })
    await notifyPeople(call, events, eventNames[kind], eventsOf(kind, decided))
    return decided
  }
}

type Deciding = Pick<Call, 'db' | 'audit' | 'afterCommit' | 'clock' | 'random'>

const approvalBy = (admin: { id: string }, reason: string | undefined): Decision => ({
  kind: 'approve',
  adminId: admin.id,
  reason,
  isWaiting: true,
})

const visibilityBy = (
  admin: { id: string },
  { isVisible, reason, isWaiting = false }: InputOf<typeof changePostVisibility>,
): Decision => ({ kind: isVisible ? 'show' : 'hide', adminId: admin.id, reason, isWaiting })

function sentenceOf({ count, names, isOwn }: Conflict, { kind }: Decision, asked: number): string {
  const what = asked === 1 ? 'this post' : count === 1 ? 'one of these posts' : `${count} of these posts`
  if (isOwn && kind === 'approve') {
    const [were, them] = count === 1 ? ['was', 'it'] : ['were', 'them']
    return `${what[0]!.toUpperCase()}${what.slice(1)} ${were} set aside. Return ${them} to the queue before you approve ${them}.`
  }
  const who = isOwn ? 'You' : names.length === 0 ? 'Another admin' : names.join(' and ')
  const have = isOwn || names.length > 1 ? 'have' : 'has'
  return `${who} ${have} already decided about ${what}. Nothing was changed.`
}

const eventNames = {
  approve: 'post.approved',
  hide: 'post.hidden',
  show: 'post.shown',
} as const satisfies Record<Decision['kind'], keyof InboxEvents>

/**
 * One event for each registered author of changed posts, but the admin. When the call hid or showed published and waiting
 * posts of an author, the event is about the published ones.
 */
function eventsOf(
  kind: Decision['kind'],
  { changed, decidedAt, otherAuthors }: Extract<Decided, { outcome: 'done' }>,
) {
  const ofAuthors = Map.groupBy(changed, ({ authorId }) => authorId)
  return otherAuthors.flatMap((personId) => {
    const changedOwn = ofAuthors.get(personId) ?? []
    const published = changedOwn.filter(({ publishedOn }) => publishedOn !== null)
    const own = published.length > 0 ? published : changedOwn
    const status = published.length > 0 ? 'published' : 'pending'
    const details = { count: String(own.length), ...(kind !== 'approve' && { decidedAt, status }) }
    return own
      .slice(0, 1)
      .map(({ id }) => ({ personId, otherPersonId: null, details: { postId: id, ...details } }))
  })
}
