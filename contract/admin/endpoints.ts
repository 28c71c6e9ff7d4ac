import * as z from 'zod/mini'
import { User } from '#contract/account/user.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant, Page } from '#contract/schemas.ts'

export const adminUsersMax = 1000

/** A registered person as an admin sees them. */
export const AdminUser = z.extend(User, { postCount: z.number(), commentCount: z.number() })
export type AdminUser = z.infer<typeof AdminUser>

/** Newest first; guests are not among them. */
export const listAdminUsers = endpoint({
  method: 'GET',
  path: '/api/admin/users',
  query: Page(adminUsersMax),
  output: z.array(AdminUser),
  errors: [],
})

/** Comments stay in the browsers of those who write them: the list is empty until a call stores some. */
export const listAdminComments = endpoint({
  method: 'GET',
  path: '/api/admin/comments',
  output: z.array(
    z.object({ id: Id, postId: Id, author: z.string(), content: z.string(), createdAt: Instant }),
  ),
  errors: [],
})
