import type { InboxEvents } from '#contract/inbox/live.ts'
import type { Needs } from '#server/feature.ts'
import { notifyPeople } from '#server/features/inbox/index.ts'
import type { Call } from '#server/platform/http/endpoints/handle.ts'
import { newId } from '#server/platform/ids.ts'
import { type Conflict, decide, type Decision, type Decided } from './decisions.ts'

export type Deps = Pick<Needs, 'config' | 'events'>

export type Deciding = Pick<Call, 'db' | 'audit' | 'afterCommit' | 'clock' | 'random'>

const auditActions = { approve: 'post-approval', hide: 'post-hidden', show: 'post-shown' } as const

/** Decides, writes the audit log, tells the authors and drops the days of the feed that changed. */
export async function carryOut(
  call: Deciding,
  { config, events }: Deps,
  ids: string[],
  decision: Decision,
): Promise<Decided> {
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
  const published = decided.changed.flatMap(({ id, isVisible, publishedOn }) =>
    publishedOn === null || !isVisible ? [] : id,
  )
  if (published.length > 0) await events.emitWithin('postsPublishing', call.db, published)
  call.afterCommit(() => {
    for (const day of new Set(decided.changed.map(({ publishedOn }) => publishedOn)))
      if (day !== null) events.emit('feedDayChanged', day)
    if (published.length > 0) events.emit('postsPublished', published)
  })
  await notifyPeople(call, events, eventNames[kind], eventsOf(kind, decided))
  return decided
}

/** Says who has decided about posts before. */
export function sentenceOf({ count, names, isOwn }: Conflict, { kind }: Decision, asked: number): string {
  const what = asked === 1 ? 'this post' : count === 1 ? 'one of these posts' : `${count} of these posts`
  if (isOwn && kind === 'approve') {
    const [were, them] = count === 1 ? ['was', 'it'] : ['were', 'them']
    return `${what[0]!.toUpperCase()}${what.slice(1)} ${were} set aside. Return ${them} to the queue before you approve ${them}.`
  }
  const who = isOwn ? 'You' : names.length === 0 ? 'Somebody else' : names.join(' and ')
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
