import {
  addModerator,
  listModeratedPeople,
  moderatedPeopleMax,
  removeModerator,
} from '#contract/account/moderators/endpoints.ts'
import { done } from '#contract/schemas.ts'
import { searchedText } from '#server/platform/http/endpoints/admin-search.ts'
import { isPersonId, readTimeCursor, sliceOf, timeCursorOf } from '#server/platform/http/answers/paging.ts'
import { handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { admins, moderators } from '#server/platform/http/endpoints/policy.ts'
import { changeModerator } from './moderators.ts'
import { listPeopleByName } from './queries.ts'
import { lockActorAndAccount } from './suspend.ts'

const changes: LimitRule = { name: 'moderators', count: 60, seconds: 3600, by: 'person' }

/** The calls by which admins give and take the right of a moderator, and the list of people for moderators. Without guests. */
export const moderatorRoutes: Route[] = [
  handle(listModeratedPeople, moderators, async (call) => {
    const { db, query } = call
    const limit = query.limit ?? moderatedPeopleMax
    const text = (await searchedText(call))?.normalize()
    const before = readTimeCursor(query.before, isPersonId)
    const filter = { text, isSuspended: query.isSuspended !== undefined }
    return sliceOf(await listPeopleByName(db, { ...filter, limit: limit + 1, before }), limit, timeCursorOf)
  }),

  handle(addModerator, admins, { limits: [changes], isRepeatable: true }, async (call) => {
    const { db, params, audit, fail } = call
    const { actor, account = fail('UserNotFound') } = await lockActorAndAccount(call, params.id)
    if (!actor.isAdmin) fail('NotAllowed')
    if (account.isAdmin) fail('AdminIsNoModerator')
    if (account.isDemo) fail('DemoAccountStays')
    if (await changeModerator(db, account, true)) await audit('moderator-granted', { subjectId: account.id })
    return done
  }),

  handle(removeModerator, admins, { limits: [changes], isRepeatable: true }, async (call) => {
    const { db, params, audit, fail } = call
    const { actor, account = fail('UserNotFound') } = await lockActorAndAccount(call, params.id)
    if (!actor.isAdmin) fail('NotAllowed')
    if (await changeModerator(db, account, false)) await audit('moderator-revoked', { subjectId: account.id })
    return done
  }),
]
