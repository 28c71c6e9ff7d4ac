import type { InboxEvents } from '#contract/inbox/live.ts'
import type { DomainEvents } from '#server/domain-events.ts'
import type { Needs } from '#server/feature.ts'
import { type ErasableKind, eraseReportCopies } from '#server/features/abuse-reports/index.ts'
import { eraseCover } from '#server/features/covers/index.ts'
import { eraseDraftsOfPost } from '#server/features/drafts/index.ts'
import { eraseLockedPost, lockErasablePost } from '#server/features/feed/index.ts'
import { type EventDetails, notifyPeople } from '#server/features/inbox/index.ts'
import { eraseAside, erasePassageText } from '#server/features/rooms/index.ts'
import { databaseNow } from '#server/platform/database/database-now.ts'
import type { Call } from '#server/platform/http/endpoints/handle.ts'
import { hasAccount } from './queries.ts'

export type Deps = Pick<Needs, 'uploads' | 'events'>

type ErasingCall = Pick<Call, 'db' | 'audit' | 'afterCommit'> & { viewer: { id: string } }

/**
 * Erases a post with all that belongs to it. Returns false when there is no post with this id. Call `lockPeopleOfReports`
 * first: every erasure locks people first, then the text, then reports, then inboxes.
 */
export async function erasePostFully(
  call: ErasingCall,
  { uploads, events }: Deps,
  { id, reason }: { id: string; reason?: string | undefined },
): Promise<boolean> {
  const { db, afterCommit } = call
  const post = await lockErasablePost(db, id)
  if (post === undefined) return false
  const { authorId, writtenAt, publishedOn, what } = post
  const removeFile = await eraseCover(db, uploads, id)
  await eraseLockedPost(db, id)
  if (authorId !== null && what === 'post') await eraseDraftsOfPost(db, authorId, id)
  afterCommit(removeFile)
  if (publishedOn !== null) afterCommit(() => events.emit('feedDayChanged', publishedOn))
  await recordErasure(call, events, 'post', { id, authorId, reason, details: { writtenAt, what } })
  return true
}

/** Erases the text of a passage. Returns false when there is none. Call `lockPeopleOfReports` first. */
export async function erasePassageFully(
  call: ErasingCall,
  { events }: Pick<Deps, 'events'>,
  {
    roomId,
    ...passage
  }: { roomId: string; id: string; authorId: string | null; reason?: string | undefined },
): Promise<boolean> {
  if (!(await erasePassageText(call.db, { roomId, id: passage.id }))) return false
  call.afterCommit(() => {
    events.emit('passageErased', roomId)
    events.emit('shelfChanged')
  })
  await recordErasure(call, events, 'passage', { ...passage, details: { roomId } })
  return true
}

/** Deletes an aside. Returns false when there is none. Call `lockPeopleOfReports` first. */
export async function eraseAsideFully(
  call: ErasingCall,
  { events }: Pick<Deps, 'events'>,
  { roomId, id, authorId }: { roomId: string; id: string; authorId: string | null },
): Promise<boolean> {
  if (!(await eraseAside(call.db, { roomId, id }))) return false
  call.afterCommit(() => events.emit('asideErased', roomId))
  await recordErasure(call, events, 'aside', { id, authorId, details: { roomId } })
  return true
}

interface Erased {
  id: string
  authorId: string | null
  reason?: string | undefined
  details: EventDetails
}

/** Erases the copies in reports, writes the audit log, and notifies the author. */
async function recordErasure(
  call: ErasingCall,
  events: DomainEvents,
  kind: ErasableKind,
  { id, authorId, reason, details }: Erased,
) {
  const { db, viewer } = call
  await eraseReportCopies(db, kind, id)
  const { roomId } = details
  await call.audit(auditActions[kind], {
    subjectId: id,
    details: {
      ...(roomId !== undefined && { room: roomId }),
      ...(authorId !== null && { author: authorId }),
      ...(reason && { reason }),
    },
  })
  if (authorId === null || authorId === viewer.id || !(await hasAccount(db, authorId))) return
  await notifyPeople(call, events, eventNames[kind], [
    {
      personId: authorId,
      otherPersonId: null,
      details: { id, ...details, erasedAt: await databaseNow(db), ...(reason && { reason }) },
    },
  ])
}

const auditActions = { post: 'post-erased', passage: 'passage-erased', aside: 'aside-erased' } as const

const eventNames = {
  post: 'post.erased',
  passage: 'passage.erased',
  aside: 'aside.erased',
} as const satisfies Record<ErasableKind, keyof InboxEvents>
