import * as z from 'zod/mini'
import { User } from '#contract/account/user.ts'
import { endpoint } from '#contract/endpoint.ts'
import { AnyText, Done, Id, Instant, Page, PersonId } from '#contract/schemas.ts'

export const adminUsersMax = 1000
/** An email address has at most 100 characters. */
export const searchTextMaxLength = 100

/** A registered person as an admin sees them. */
export const AdminUser = z.extend(User, { postCount: z.number(), commentCount: z.number() })
export type AdminUser = z.infer<typeof AdminUser>

/** Only the users whose username, email address, first or last name contains the text, in any case. */
const Search = { q: z.optional(AnyText(searchTextMaxLength)) }

/** Newest first; guests are not among them. */
export const listAdminUsers = endpoint({
  method: 'GET',
  path: '/api/admin/users',
  query: z.extend(Page(adminUsersMax), Search),
  output: z.array(AdminUser),
  errors: [],
})

/** How many users `listAdminUsers` lists. */
export const countAdminUsers = endpoint({
  method: 'GET',
  path: '/api/admin/users/count',
  query: z.object(Search),
  output: z.object({ count: z.number() }),
  errors: [],
})

/** Deletes a user or a guest with all private data (S15). */
export const deleteUser = endpoint({
  method: 'DELETE',
  path: '/api/admin/users/:id',
  params: z.object({ id: PersonId }),
  output: Done,
  errors: ['UserNotFound', 'AdminStays', 'DemoAccountStays'],
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
