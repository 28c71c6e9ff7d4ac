import { getSuspension, liftSuspension, suspendPerson } from '#contract/account/suspensions/endpoints.ts'
import { done } from '#contract/schemas.ts'
import type { DomainEvents } from '#server/domain-events.ts'
import { handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { moderators } from '#server/platform/http/endpoints/policy.ts'
import { findAccount } from './queries.ts'
import { lockActorAndAccount, refuseForModerator, suspend } from './suspend.ts'
import { findSuspension, removeSuspension } from './suspensions.ts'

const changes: LimitRule = { name: 'suspensions', count: 300, seconds: 3600, by: 'person' }

/** The calls by which admins and moderators suspend people. For these calls a guest does not exist. */
export function suspensionRoutes({ events }: { events: DomainEvents }): Route[] {
  return [
    handle(getSuspension, moderators, async ({ db, params, fail }) => {
      if ((await findAccount(db, params.id)) === undefined) fail('UserNotFound')
      return (await findSuspension(db, params.id)) ?? null
    }),

    handle(suspendPerson, moderators, { limits: [changes], isRepeatable: true }, async (call) => {
      const { input, params, fail } = call
      const { actor, account = fail('UserNotFound') } = await lockActorAndAccount(call, params.id)
      await suspend(call, events, { actor, account }, input)
      return input
    }),

    handle(liftSuspension, moderators, { limits: [changes], isRepeatable: true }, async (call) => {
      const { db, params, audit, fail } = call
      const { actor, account = fail('UserNotFound') } = await lockActorAndAccount(call, params.id)
      refuseForModerator(fail, actor, account)
      const { id } = account
      const before = await findSuspension(db, id)
      if (before === undefined) return done
      await removeSuspension(db, id)
      if (before.hidesTexts) await events.emitWithin('hiddenTextsChanged', call, id)
      await audit('suspension-lifted', { subjectId: id })
      return done
    }),
  ]
}
