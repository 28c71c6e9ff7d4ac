import { auditMax } from '#contract/admin/audit.ts'
import {
  adminUsersMax,
  countAdminUsers,
  deleteUser,
  listAdminComments,
  listAdminUsers,
  listAuditEntries,
} from '#contract/admin/endpoints.ts'
import { done } from '#contract/schemas.ts'
import type { Needs } from '#server/feature.ts'
import {
  countPeople,
  listPeople,
  lockPersonForDeletion,
  removeAccount,
} from '#server/features/account/index.ts'
import { countPostsOf } from '#server/features/feed/index.ts'
import { searchedText } from '#server/platform/http/endpoints/admin-search.ts'
import { handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import { isPersonId, readTimeCursor, sliceOf, timeCursorOf } from '#server/platform/http/answers/paging.ts'
import { admins } from '#server/platform/http/endpoints/policy.ts'
import { listAudit } from './audit.ts'

export type Deps = Pick<Needs, 'config' | 'personalData' | 'events'>

export function adminRoutes({ config, personalData, events }: Deps): Route[] {
  return [
    handle(listAdminUsers, admins, async (call) => {
      const { db, query } = call
      const limit = query.limit ?? adminUsersMax
      const before = readTimeCursor(query.before, isPersonId)
      const found = await listPeople(db, { limit: limit + 1, before, ...(await filterOf(call)) })
      const slice = sliceOf(found, limit, timeCursorOf)
      const posts = await countPostsOf(
        db,
        slice.rows.map(({ id }) => id),
      )
      return slice.with(
        slice.rows.map((person) => ({ ...person, postCount: posts.get(person.id) ?? 0, commentCount: 0 })),
      )
    }),

    handle(countAdminUsers, admins, async (call) => ({
      count: await countPeople(call.db, await filterOf(call)),
    })),

    handle(deleteUser, admins, async ({ db, params: { id }, fail, audit, afterCommit }) => {
      // The lock comes first: a command may make an admin of the person at this moment.
      const { isAdmin, isDemo } = (await lockPersonForDeletion(db, id)) ?? fail('UserNotFound')
      if (isAdmin) fail('AdminStays')
      if (isDemo) fail('DemoAccountStays')
      await removeAccount(db, id, personalData, { afterCommit, events })
      await audit('account-deletion', { subjectId: id })
      return done
    }),

    handle(listAuditEntries, admins, async (call) => {
      const { limit = auditMax, before, ...query } = call.query
      const found = await listAudit(call.db, {
        ...query,
        limit: limit + 1,
        before: readTimeCursor(before),
        timeZone: config.timeZone,
      })
      return sliceOf(found, limit, ({ at, id }) => timeCursorOf({ createdAt: at, id }))
    }),

    handle(listAdminComments, admins, async () => []),
  ]
}

const filterOf = async (
  call: Parameters<typeof searchedText>[0] & { query: { isSuspended?: 'true' | undefined } },
) => ({
  text: (await searchedText(call))?.normalize(),
  isSuspended: call.query.isSuspended !== undefined,
})
