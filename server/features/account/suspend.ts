import type { Suspension } from '#contract/account/suspensions/endpoints.ts'
import { suspensionEndError } from '#contract/account/suspensions/rules.ts'
import type { DomainEvents } from '#server/domain-events.ts'
import { isInstant } from '#server/platform/http/answers/paging.ts'
import type { Call, Fail } from '#server/platform/http/endpoints/handle.ts'
import { mayModerate } from './moderators.ts'
import { type Account, findAccount, lockPeople } from './queries.ts'
import { endSessionsOf } from './sessions.ts'
import { findSuspension, saveSuspension } from './suspensions.ts'

type SuspendingCall = Pick<Call, 'db' | 'now' | 'audit' | 'afterCommit'> & {
  viewer: { id: string }
  fail: Fail<'AdminCannotBeSuspended' | 'ModeratorCannotBeSuspended' | 'DemoAccountStays'>
}

/**
 * Ends the sessions of a person and suspends the person, or changes the suspension. Writes the audit log. Actor and account
 * come from `lockActorAndAccount`.
 */
export async function suspend(
  call: SuspendingCall,
  events: DomainEvents,
  { actor, account }: { actor: Account; account: Account },
  suspension: Suspension,
): Promise<void> {
  const { db, now, audit, fail } = call
  const { reason, until, hidesTexts } = suspension
  const refused = until === null ? undefined : refusedEnd(until, now)
  if (refused !== undefined) fail('InvalidInput', { fields: { until: refused } })
  if (account.isAdmin) fail('AdminCannotBeSuspended')
  refuseForModerator(fail, actor, account)
  if (account.isDemo) fail('DemoAccountStays')
  const { id } = account
  const before = await findSuspension(db, id)
  // A sign-in takes the same row lock. So it has stored its session before this line, or it finds the suspension.
  await endSessionsOf(db, id)
  if (!(await saveSuspension(db, id, suspension))) return
  if (hidesTexts !== (before?.hidesTexts ?? false)) await events.emitWithin('hiddenTextsChanged', call, id)
  await audit('person-suspended', {
    subjectId: id,
    details: {
      ...(until === null ? { end: 'For good' } : { until }),
      texts: hidesTexts ? 'hidden' : 'stay',
      reason,
    },
  })
}

/** A moderator suspends no moderator, and ends no suspension of one. */
export function refuseForModerator(
  fail: Fail<'ModeratorCannotBeSuspended'>,
  actor: Account,
  account: Account,
): void {
  if (account.isModerator && !actor.isAdmin) fail('ModeratorCannotBeSuspended')
}

/**
 * Locks the rows of the admin or moderator and of the person until the transaction ends. Then reads both again, because an
 * earlier request may have changed them. `account` is undefined for a person without an account.
 */
export async function lockActorAndAccount(
  { db, viewer, fail }: Pick<SuspendingCall, 'db' | 'viewer'> & { fail: Fail<never> },
  personId: string,
): Promise<{ actor: Account; account: Account | undefined }> {
  await lockPeople(db, [viewer.id, personId])
  const actor = (await findAccount(db, viewer.id)) ?? fail('SignInRequired')
  if (!mayModerate(actor)) fail('NotAllowed')
  return { actor, account: await findAccount(db, personId) }
}

const refusedEnd = (until: string, now: Date): string | undefined =>
  isInstant(until) ? suspensionEndError(new Date(until), now) : 'Please choose a real time.'
