import * as z from 'zod/mini'
import { categories } from '#contract/feed/categories.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Post, postTypes, replacesId } from '#contract/feed/post.ts'
import { AnyText, Id, inAddress, Instant, Page } from '#contract/schemas.ts'

// The calls by which admins review posts, and the call by which authors see what was decided.

export const adminPostsMax = 1000
export const ownPostsMax = 200
export const bulkMax = 200
export const decisionReasonMax = 1000
export const generatedMax = 20
const generatedByDefault = 3

/** Why an admin decided so. The author reads it. */
export const Reason = z.optional(AnyText(decisionReasonMax))

/** The posts that one call decides about. */
export const PostIds = z
  .array(Id)
  .check(
    z.minLength(1, 'Please choose at least one post.'),
    z.maxLength(bulkMax, `Please choose at most ${bulkMax} posts.`),
  )

/** The last decision of an admin about a post. All three are null before the first one. */
const decision = {
  decidedAt: z.nullable(Instant),
  /** The name of the admin; null after the account was deleted, too. */
  decidedBy: z.nullable(z.string()),
  reason: z.nullable(z.string()),
}

/** A post as admins see it. A hidden post that is pending was set aside: it left the queue, and can be shown again. */
export const AdminPost = z.extend(Post, {
  status: z.enum(['pending', 'published']),
  replacesId,
  ...decision,
})
export type AdminPost = z.infer<typeof AdminPost>

const Flag = z.optional(
  z.pipe(
    z.enum(['true', 'false']).check(inAddress({ type: 'boolean' })),
    z.transform((text) => text === 'true'),
  ),
)

export const listAdminPosts = endpoint({
  summary: 'Lists all posts, the newest submission first.',
  description:
    'A page of long texts is shorter than `limit`, and a search may answer a page that is short or empty before its end: the list ends where `Next-Before` is missing.',
  method: 'GET',
  path: '/api/admin/posts',
  query: z.extend(Page(adminPostsMax), {
    status: z.optional(z.enum(['pending', 'published'])),
    isVisible: Flag,
    /** Finds posts with this text in the content or the name of the author, whatever the case. */
    q: z.optional(AnyText(64)),
  }),
  output: z.array(AdminPost),
})

export const listTodaysPosts = endpoint({
  summary: 'Lists the posts that were submitted or published today.',
  description: 'Today is a day in the time zone of the installation.',
  method: 'GET',
  path: '/api/admin/posts/today',
  query: Page(adminPostsMax),
  output: z.array(AdminPost),
})

export const changePostVisibility = endpoint({
  summary: 'Hides a post or shows it again.',
  description: 'Hiding a waiting post sets it aside.',
  method: 'PATCH',
  path: '/api/admin/posts/:id/visibility',
  params: z.object({ id: Id }),
  input: z.object({
    isVisible: z.boolean(),
    reason: Reason,
    /** The decision is about a waiting post: it is refused when the post does not wait any more. */
    isWaiting: z.optional(z.boolean()),
  }),
  output: Post,
  errors: ['PostNotFound', 'PostDecided', 'OwnPost'],
})

export const changePostsVisibility = endpoint({
  summary: 'Hides or shows all of these posts, or none.',
  description: 'The answer has the ids of those that changed.',
  method: 'POST',
  path: '/api/admin/posts/bulk-visibility',
  input: z.object({
    postIds: PostIds,
    isVisible: z.boolean(),
    reason: Reason,
    isWaiting: z.optional(z.boolean()),
  }),
  output: z.object({ changed: z.array(Id) }),
  errors: ['UnknownPosts', 'PostDecided', 'OwnPost'],
})

export const generateContent = endpoint({
  summary: 'Adds posts from built-in texts.',
  description: 'They are hidden until an admin shows them.',
  method: 'POST',
  path: '/api/admin/generate-content',
  // A call without a body makes as many as one without a count.
  input: z._default(
    z.object({
      count: z._default(z.int().check(z.minimum(1), z.maximum(generatedMax)), generatedByDefault),
      category: z.optional(z.enum(categories)),
    }),
    { count: generatedByDefault },
  ),
  output: z.object({ posts: z.array(Post) }),
  status: 201,
})

/** A post as its author sees it, with the reason of the last decision. */
export const OwnPost = z.object({
  id: Id,
  beginning: z.string(),
  wordCount: z.int(),
  authorName: z.string(),
  postType: z.enum(postTypes),
  createdAt: Instant,
  publishedAt: z.nullable(Instant),
  editedAt: z.nullable(Instant),
  /** The new version of the published post, which waits for review or was set aside by the last decision about it. */
  waitingVersion: z.nullable(
    z.object({
      isVisible: z.boolean(),
      decidedAt: z.nullable(Instant),
      reason: z.nullable(z.string()),
    }),
  ),
  isVisible: z.boolean(),
  status: z.enum(['pending', 'published']),
  decidedAt: z.nullable(Instant),
  reason: z.nullable(z.string()),
})
export type OwnPost = z.infer<typeof OwnPost>

export const listOwnPosts = endpoint({
  summary: 'Lists the posts of the caller, the newest first.',
  description:
    'A page of long texts is shorter than `limit`: the list ends where `Next-Before` is missing. Posts that the caller took back are not among them.',
  method: 'GET',
  path: '/api/own-posts',
  query: Page(ownPostsMax),
  output: z.array(OwnPost),
})
