import { getSuspension, liftSuspension, suspendPerson } from '#contract/account/suspensions/endpoints.ts'
import { suspensionEndError } from '#contract/account/suspensions/rules.ts'
import { done } from '#contract/schemas.ts'
import type { DomainEvents } from '#server/domain-events.ts'
import { isInstant } from '#server/platform/http/answers/paging.ts'
import { type Fail, handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { admins } from '#server/platform/http/endpoints/policy.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { findAccount, lockPeople } from './queries.ts'
import { endSessionsOf } from './sessions.ts'
import { findSuspension, removeSuspension, saveSuspension } from './suspensions.ts'

const changes: LimitRule = { name: 'suspensions', count: 300, seconds: 3600, by: 'person' }

/** The calls by which admins suspend people. For these calls a guest does not exist. */
export function suspensionRoutes({ events }: { events: DomainEvents }): Route[] {
  return [
    handle(getSuspension, admins, async ({ db, params, fail }) => {
      if ((await findAccount(db, params.id)) === undefined) fail('UserNotFound')
      return (await findSuspension(db, params.id)) ?? null
    }),

    handle(suspendPerson, admins, { limits: [changes], isRepeatable: true }, async (call) => {
      const { db, input, now, audit, fail } = call
      const { reason, until, hidesTexts } = input
      const refused = until === null ? undefined : refusedEnd(until, now)
      if (refused !== undefined) fail('InvalidInput', { fields: { until: refused } })
      const account = await lockAndFind(call)
      if (account.isAdmin) fail('AdminCannotBeSuspended')
      if (account.isDemo) fail('DemoAccountStays')
      const { id } = account
      const before = await findSuspension(db, id)
      // A sign-in takes the same row lock. So it has stored its session before this line, or it finds the suspension.
      await endSessionsOf(db, id)
      if (!(await saveSuspension(db, id, input))) return input
      if (hidesTexts !== (before?.hidesTexts ?? false))
        await events.emitWithin('hiddenTextsChanged', call, id)
      await audit('person-suspended', {
        subjectId: id,
        details: {
          ...(until === null ? { end: 'For good' } : { until }),
          texts: hidesTexts ? 'hidden' : 'stay',
          reason,
        },
      })
      return input
    }),

    handle(liftSuspension, admins, { limits: [changes], isRepeatable: true }, async (call) => {
      const { db, audit } = call
      const { id } = await lockAndFind(call)
      const before = await findSuspension(db, id)
      if (before === undefined) return done
      await removeSuspension(db, id)
      if (before.hidesTexts) await events.emitWithin('hiddenTextsChanged', call, id)
      await audit('suspension-lifted', { subjectId: id })
      return done
    }),
  ]
}

interface Change {
  db: Db
  viewer: { id: string }
  params: { id: string }
  fail: Fail<'UserNotFound'>
}

/**
 * Locks the rows of the admin and the person until the transaction ends. Then reads both again, because an earlier request
 * may have changed them.
 */
async function lockAndFind({ db, viewer, params, fail }: Change) {
  await lockPeople(db, [viewer.id, params.id])
  const admin = (await findAccount(db, viewer.id)) ?? fail('SignInRequired')
  if (!admin.isAdmin) fail('NotAllowed')
  return (await findAccount(db, params.id)) ?? fail('UserNotFound')
}

const refusedEnd = (until: string, now: Date): string | undefined =>
  isInstant(until) ? suspensionEndError(new Date(until), now) : 'Please choose a real time.'
