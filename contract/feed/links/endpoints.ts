import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { Id } from '#contract/schemas.ts'

/** What a link to a post shows: its title, or the beginning of its first line, and its author. */
export const PostLink = z.object({ id: Id, title: z.string(), authorName: z.string() })
export type PostLink = z.infer<typeof PostLink>

/** The posts around a post in the feed of its day. */
export const PostNeighbours = z.object({ previous: z.nullable(PostLink), next: z.nullable(PostLink) })
export type PostNeighbours = z.infer<typeof PostNeighbours>

export const getPostNeighbours = endpoint({
  summary: 'Answers the posts before and after a post in the feed of its day.',
  method: 'GET',
  path: '/api/posts/:id/neighbours',
  params: z.object({ id: Id }),
  output: PostNeighbours,
  errors: ['PostNotFound'],
})

export const moreByAuthorMax = 3

export const listMoreByAuthor = endpoint({
  summary: 'Lists further posts of the author of a post, the newest first.',
  description:
    'At most three, without the neighbours of the post. The list is empty unless the post leads to the page of its author.',
  method: 'GET',
  path: '/api/posts/:id/more-by-author',
  params: z.object({ id: Id }),
  output: z.array(PostLink),
  errors: ['PostNotFound'],
})
