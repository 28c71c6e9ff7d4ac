import * as z from 'zod/mini'
import { initials } from '#contract/account/display-name.ts'
import { isBlank } from '#contract/text.ts'
import { randomId } from '#web/lib/session-storage.ts'

const Comment = z.object({
  id: z.string(),
  author: z.string(),
  content: z.string(),
  timestamp: z.string(),
  initials: z.string(),
})
export type Comment = z.infer<typeof Comment>

const key = 'zimmer-comments'
const author = 'Guest User'
const maxPerPost = 200
const CommentsByPost = z.record(z.string(), z.array(Comment))

/** Comments stay in this browser, by post; what cannot be read is set aside and ignored. */
export function readComments(postId: string): Comment[] {
  return readAll()[postId] ?? []
}

/** Adds a comment, unless it is blank; the oldest one over the limit goes. Answers the comments of the post. */
export function addComment(postId: string, content: string, now: Date): Comment[] {
  const all = readAll()
  const known = all[postId] ?? []
  if (isBlank(content)) return known
  const timestamp = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' }).format(now)
  const comment = { id: randomId(), author, content, timestamp, initials: initials(author) }
  const comments = [...known, comment].slice(-maxPerPost)
  localStorage.setItem(key, JSON.stringify({ ...all, [postId]: comments }))
  return comments
}

function readAll(): Record<string, Comment[]> {
  let text: string | null = null
  try {
    text = localStorage.getItem(key)
    if (text === null) return {}
    return CommentsByPost.parse(JSON.parse(text))
  } catch {
    try {
      if (text !== null) localStorage.setItem(`${key}-damaged`, text)
    } catch {
      // Nowhere to set it aside.
    }
    return {}
  }
}
