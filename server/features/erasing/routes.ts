import type { InboxEvents } from '#contract/inbox/live.ts'
import { erasePassage, erasePost } from '#contract/erasing/endpoints.ts'
import { done } from '#contract/schemas.ts'
import type { DomainEvents } from '#server/domain-events.ts'
import { type ErasableKind, eraseReportCopies } from '#server/features/abuse-reports/index.ts'
import { eraseCover } from '#server/features/covers/index.ts'
import { eraseDraftsOfPost } from '#server/features/drafts/index.ts'
import { findAuthorOfPost, lockErasablePost, eraseLockedPost } from '#server/features/feed/index.ts'
import { type EventDetails, notifyPeople } from '#server/features/inbox/index.ts'
import { erasePassageText, findAuthorOfPassage } from '#server/features/rooms/index.ts'
import { databaseNow } from '#server/platform/database/database-now.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { type Call, handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import { admins } from '#server/platform/http/endpoints/policy.ts'
import { hasAccount, lockInvolved, wasPostErased } from './queries.ts'

export interface Deps {
  dataDir: string
  events: DomainEvents
}

const erasures: LimitRule = { name: 'erasures', count: 300, seconds: 3600, by: 'person' }

/** The calls by which admins erase texts. Each locks people first, then the text, then reports, then inboxes. */
export function erasingRoutes({ dataDir, events }: Deps): Route[] {
  return [
    handle(erasePost, admins, async (call) => {
      const { db, viewer, params, input, limit, afterCommit, fail } = call
      await limit(erasures)
      const { id } = params
      // A text that is not there under its id may be there under another one.
      const failUnlessErased = async () => {
        if (!(await wasPostErased(db, id))) fail('PostNotFound')
        return done
      }
      const knownAuthor = await findAuthorOfPost(db, id)
      if (knownAuthor === undefined) return failUnlessErased()
      await lockInvolved(db, { kind: 'post', id, adminId: viewer.id, ...knownAuthor })
      const post = await lockErasablePost(db, id)
      if (post === undefined) return failUnlessErased()
      const { authorId, writtenAt, publishedOn, what } = post
      const removeFile = await eraseCover(db, dataDir, id)
      await eraseLockedPost(db, id)
      if (authorId !== null && what === 'post') await eraseDraftsOfPost(db, authorId, id)
      afterCommit(removeFile)
      if (publishedOn !== null) afterCommit(() => events.emit('feedDayChanged', publishedOn))
      await recordErasure(call, 'post', {
        id,
        authorId,
        reason: input?.reason,
        details: { writtenAt, what },
      })
      return done
    }),

    handle(erasePassage, admins, async (call) => {
      const { db, viewer, params, input, limit, afterCommit, fail } = call
      await limit(erasures)
      const { id: roomId, passageId: id } = params
      const { authorId } = (await findAuthorOfPassage(db, { roomId, id })) ?? fail('PassageNotFound')
      await lockInvolved(db, { kind: 'passage', id, adminId: viewer.id, authorId })
      if (!(await erasePassageText(db, { roomId, id }))) fail('PassageNotFound')
      afterCommit(() => {
        events.emit('passageErased', roomId)
        events.emit('shelfChanged')
      })
      await recordErasure(call, 'passage', { id, authorId, reason: input?.reason, details: { roomId } })
      return done
    }),
  ]

  /** Erases the copies in reports, writes the audit log, and notifies the author. */
  async function recordErasure(
    call: Pick<Call, 'db' | 'audit' | 'afterCommit'> & { viewer: { id: string } },
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
}

interface Erased {
  id: string
  authorId: string | null
  reason: string | undefined
  details: EventDetails
}

const auditActions = { post: 'post-erased', passage: 'passage-erased' } as const

const eventNames = {
  post: 'post.erased',
  passage: 'passage.erased',
} as const satisfies Record<ErasableKind, keyof InboxEvents>
