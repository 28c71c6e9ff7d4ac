import * as z from 'zod/mini'
import { isBlank } from '#contract/text.ts'
import { timeOfDay } from '#web/lib/locale.ts'
import { randomId } from '#web/lib/session-keys.ts'
import { storedJson } from '#web/lib/storage.ts'
import { initials } from '#web/ui/Avatar.tsx'

const Comment = z.object({
  id: z.string(),
  author: z.string(),
  content: z.string(),
  timestamp: z.string(),
  initials: z.string(),
})
export type Comment = z.infer<typeof Comment>

const author = 'Guest User'
const maxPerPost = 200
const CommentsByPost = z.record(z.string(), z.array(Comment))
const none: z.infer<typeof CommentsByPost> = {}
const commentsByPost = storedJson({
  key: 'zimmer-comments',
  schema: CommentsByPost,
  fallback: none,
  damagedKey: 'zimmer-comments-damaged',
})

/** The comments of a post, which only this browser keeps. Damaged comments are moved to another key and ignored. */
export function readComments(postId: string): Comment[] {
  return commentsByPost.read()[postId] ?? []
}

/** The comments of all posts, by the ids of the posts. */
export const readAllComments = (): Readonly<Record<string, Comment[]>> => commentsByPost.read()

/** Adds a comment, unless it is blank, and removes the oldest one over the limit. Returns the comments of the post. */
export function addComment(postId: string, content: string, now: Date): Comment[] {
  const all = commentsByPost.read()
  const known = all[postId] ?? []
  if (isBlank(content)) return known
  const timestamp = timeOfDay(now, { year: 'numeric', month: 'short', day: 'numeric' })
  const comment = { id: randomId(), author, content, timestamp, initials: initials(author) }
  const comments = [...known, comment].slice(-maxPerPost)
  if (!commentsByPost.write({ ...all, [postId]: comments }))
    throw new Error('The storage of this browser is full')
  return comments
}
