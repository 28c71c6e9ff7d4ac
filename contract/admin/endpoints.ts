import * as z from 'zod/mini'
import { Suspension } from '#contract/account/suspensions/endpoints.ts'
import { User } from '#contract/account/user.ts'
import { type AuditActionName, auditActions, AuditEntry, auditMax } from '#contract/admin/audit.ts'
import { endpoint } from '#contract/endpoint.ts'
import { AnyText, Day, Done, Id, Instant, Page, PersonId } from '#contract/schemas.ts'

export const statsDays = 30

/** The numbers of the installation. People are those who are registered; guests never count. */
export const Stats = z.object({
  /** Published posts, hidden ones included, and generated ones once they were shown; likes and comments are theirs. */
  totalPosts: z.int(),
  totalLikes: z.int(),
  totalComments: z.int(),
  totalUsers: z.int(),
  /** Those who registered within the last 24 hours. */
  newUsers: z.int(),
  pendingPosts: z.int(),
  /** For the last 30 days, oldest first: published posts and registrations. */
  perDay: z.array(z.object({ day: Day, posts: z.int(), users: z.int() })),
})
export type Stats = z.infer<typeof Stats>

export const getStats = endpoint({
  summary: 'Answers the numbers of the installation.',
  method: 'GET',
  path: '/api/admin/stats',
  output: Stats,
})

export const countWaiting = endpoint({
  summary: 'Counts the posts in the queue, the open reports and the sign-ups that wait for a decision.',
  description: 'For a moderator without own posts, without reports about themself, and with no sign-ups.',
  method: 'GET',
  path: '/api/admin/waiting',
  output: z.object({ posts: z.int(), reports: z.int(), signUps: z.int() }),
})

export const adminUsersMax = 1000
/** An email address has at most 100 characters. */
export const searchTextMaxLength = 100

/** A registered person as an admin sees them. */
export const AdminUser = z.extend(User, {
  postCount: z.int(),
  commentCount: z.int(),
  suspension: z.nullable(Suspension),
})
export type AdminUser = z.infer<typeof AdminUser>

const Filter = {
  /** Only the users whose username, email address, first or last name contains the text, in any case. */
  q: z.optional(AnyText(searchTextMaxLength)),
  /** Only the suspended users. */
  isSuspended: z.optional(z.literal('true')),
}

export const listAdminUsers = endpoint({
  summary: 'Lists the registered people, the newest first.',
  method: 'GET',
  path: '/api/admin/users',
  query: z.extend(Page(adminUsersMax), Filter),
  output: z.array(AdminUser),
})

export const countAdminUsers = endpoint({
  summary: 'Counts the people that the list of users has.',
  method: 'GET',
  path: '/api/admin/users/count',
  query: z.object(Filter),
  output: z.object({ count: z.int() }),
})

export const deleteUser = endpoint({
  summary: 'Deletes a person or a guest with all private data.',
  method: 'DELETE',
  path: '/api/admin/users/:id',
  params: z.object({ id: PersonId }),
  output: Done,
  errors: ['UserNotFound', 'AdminStays', 'DemoAccountStays', 'HiddenTextsWouldReturn'],
})

export const listAdminComments = endpoint({
  summary: 'Lists the comments, which are none.',
  description: 'Comments stay in the browsers of those who write them.',
  method: 'GET',
  path: '/api/admin/comments',
  output: z.array(
    z.object({ id: Id, postId: Id, author: z.string(), content: z.string(), createdAt: Instant }),
  ),
})

export const listAuditEntries = endpoint({
  summary: 'Lists the audit log, the newest entry first.',
  description: '`from` and `to` are days in the time zone of the installation.',
  method: 'GET',
  path: '/api/admin/audit',
  query: z.extend(Page(auditMax), {
    action: z.optional(z.enum(Object.keys(auditActions) as AuditActionName[])),
    /** The id of the actor or the subject. */
    about: z.optional(z.union([PersonId, Id])),
    from: z.optional(Day),
    to: z.optional(Day),
  }),
  output: z.array(AuditEntry),
})
