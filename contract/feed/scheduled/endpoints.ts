import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { postTypes } from '#contract/feed/post.ts'
import { scheduledPostsMax } from '#contract/feed/scheduled/rules.ts'
import { Id, Instant, Page } from '#contract/schemas.ts'

// The calls of authors about their own posts that will be published at a chosen time.

const params = z.object({ id: Id })

/** A post that will be published. Only its author sees it. */
export const ScheduledPost = z.object({
  id: Id,
  beginning: z.string(),
  wordCount: z.int(),
  authorName: z.string(),
  postType: z.enum(postTypes),
  imageUrl: z.nullable(z.string()),
  createdAt: Instant,
  publishAt: Instant,
})
export type ScheduledPost = z.infer<typeof ScheduledPost>

export const listScheduledPosts = endpoint({
  summary: 'Lists the scheduled posts of the caller, the next one first.',
  description:
    'A page of long texts is shorter than `limit`: the list ends where `Next-Before` is missing. A post that its author may no longer publish at its time waits for review, without an event: `listOwnPosts` has it as `pending`.',
  method: 'GET',
  path: '/api/scheduled-posts',
  query: Page(scheduledPostsMax),
  output: z.array(ScheduledPost),
})

export const changePublishTime = endpoint({
  summary: 'Changes the time at which a scheduled post of the caller is published.',
  description: 'At most ten premium posts of a person are scheduled for one day of the feed.',
  method: 'PUT',
  path: '/api/scheduled-posts/:id',
  params,
  input: z.object({ publishAt: Instant }),
  output: z.object({ id: Id, publishAt: Instant }),
  errors: ['ScheduledPostNotFound', 'PremiumOff'],
})

export const publishScheduledPost = endpoint({
  summary: 'Publishes a scheduled post of the caller now.',
  description: 'A post that its author may no longer publish waits for review instead.',
  method: 'POST',
  path: '/api/scheduled-posts/:id/publication',
  params,
  output: z.object({ id: Id, status: z.enum(['pending', 'published']), createdAt: Instant }),
  status: 201,
  errors: ['ScheduledPostNotFound', 'PremiumOff'],
})

export const unschedulePost = endpoint({
  summary: 'Makes a draft of a scheduled post of the caller, which is then no longer scheduled.',
  description: 'The answer is the id of the draft. A draft has no picture, so that of the post is left out.',
  method: 'POST',
  path: '/api/scheduled-posts/:id/draft',
  params,
  output: z.object({ id: Id }),
  status: 201,
  errors: ['ScheduledPostNotFound', 'DraftsFull', 'DiaryLocked'],
})
