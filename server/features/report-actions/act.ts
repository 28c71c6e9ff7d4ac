import type { AbuseReport, Removal, ReportKind } from '#contract/abuse-reports/report.ts'
import type { Suspension } from '#contract/account/suspensions/endpoints.ts'
import type { Needs } from '#server/feature.ts'
import { lockActorAndAccount, suspend } from '#server/features/account/index.ts'
import { eraseAsideFully, erasePassageFully, erasePostFully } from '#server/features/erasing/index.ts'
import { carryOut, sentenceOf } from '#server/features/feed/index.ts'
import { notifyPeople } from '#server/features/inbox/index.ts'
import { databaseNow } from '#server/platform/database/database-now.ts'
import type { Call, Fail } from '#server/platform/http/endpoints/handle.ts'
import type { SignedIn } from '#server/platform/http/endpoints/policy.ts'
import { newId } from '#server/platform/ids.ts'

type Deps = Pick<Needs, 'events' | 'config' | 'uploads'>

type ActingCall = Pick<Call, 'db' | 'now' | 'clock' | 'random' | 'audit' | 'afterCommit'> & {
  viewer: SignedIn<'moderator' | 'admin'>
  fail: Fail<
    | 'ReportedThingGone'
    | 'AuthorWithoutAccount'
    | 'PostDecided'
    | 'AdminCannotBeSuspended'
    | 'ModeratorCannotBeSuspended'
    | 'DemoAccountStays'
  >
}

type Reported = Pick<AbuseReport, 'kind' | 'targetId' | 'roomId'> & { authorId: string | null }

interface Actions {
  removal?: Removal | undefined
  warning?: string | undefined
  suspension?: Suspension | undefined
}

/** Does what the admin or moderator chose, or refuses the call. The people, the text, the report and the inboxes are locked. */
export async function act(
  call: ActingCall,
  deps: Deps,
  reported: Reported,
  { removal, warning, suspension }: Actions,
): Promise<void> {
  const { fail } = call
  if (removal === 'hide') await hide(call, deps, reported.targetId)
  if (removal === 'erase' && !(await erase(call, deps, reported))) fail('ReportedThingGone')
  if (warning === undefined && suspension === undefined) return
  const { authorId, kind: about } = reported
  if (authorId === null) return fail('AuthorWithoutAccount')
  const { actor, account = fail('AuthorWithoutAccount') } = await lockActorAndAccount(call, authorId)
  if (warning !== undefined) await warn(call, deps, { personId: account.id, about, warning })
  if (suspension !== undefined) await suspend(call, deps.events, { actor, account }, suspension)
}

async function hide(call: ActingCall, deps: Deps, id: string): Promise<void> {
  const { viewer, fail } = call
  const decision = {
    kind: 'hide',
    adminId: viewer.id,
    mayDecideOwn: viewer.kind === 'admin',
    reason: undefined,
    isWaiting: false,
  } as const
  const decided = await carryOut(call, deps, [id], decision)
  if (decided.outcome === 'conflict') fail('PostDecided', { error: sentenceOf(decided, decision, 1) })
  if (decided.outcome !== 'done' || decided.changed.length === 0) fail('ReportedThingGone')
}

/** Returns false when the text is gone already. */
async function erase(call: ActingCall, deps: Deps, reported: Reported): Promise<boolean> {
  const { kind, targetId: id, roomId, authorId } = reported
  if (kind === 'post') return erasePostFully(call, deps, { id })
  if (roomId === null) return false
  const eraseInRoom = kind === 'aside' ? eraseAsideFully : erasePassageFully
  return eraseInRoom(call, deps, { roomId, id, authorId })
}

interface Warned {
  personId: string
  about: ReportKind
  warning: string
}

/** The text is kept in the notification alone, not in the audit log. */
async function warn(call: ActingCall, { events }: Deps, { personId, about, warning }: Warned): Promise<void> {
  await call.audit('person-warned', { subjectId: personId })
  await notifyPeople(call, events, 'person.warned', [
    {
      personId,
      otherPersonId: null,
      details: { id: newId(call), what: about, reason: warning, warnedAt: await databaseNow(call.db) },
    },
  ])
}
