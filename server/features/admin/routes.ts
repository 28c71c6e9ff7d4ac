import { adminUsersMax, listAdminComments, listAdminUsers } from '#contract/admin/endpoints.ts'
import { listPeople } from '#server/features/account/index.ts'
import { countPostsOf } from '#server/features/feed/index.ts'
import { handle, type Route } from '#server/platform/http/handle.ts'
import { pageOf } from '#server/platform/http/paging.ts'
import { admins } from '#server/platform/http/policy.ts'
import { personCursorOf, readPersonCursor } from './person-cursor.ts'

export function adminRoutes(): Route[] {
  return [
    handle(listAdminUsers, admins, async (call) => {
      const { db, query } = call
      const limit = query.limit ?? adminUsersMax
      const found = await listPeople(db, { limit: limit + 1, before: readPersonCursor(query.before) })
      const people = pageOf(call, found, limit, personCursorOf)
      const posts = await countPostsOf(
        db,
        people.map(({ id }) => id),
      )
      return people.map((person) => ({ ...person, postCount: posts.get(person.id) ?? 0, commentCount: 0 }))
    }),

    handle(listAdminComments, admins, async () => []),
  ]
}
