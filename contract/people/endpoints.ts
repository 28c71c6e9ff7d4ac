import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { PublicPost } from '#contract/feed/post.ts'
import { Id, Instant, Page, PersonId } from '#contract/schemas.ts'

export const personPostsMax = 20
/** Posts that our page requests at once. */
export const personPostsAtOnce = 10
export const personStoriesMax = 20
/** Stories that our page requests at once. */
export const personStoriesAtOnce = 5
/** The passages that a story in the list contains: the first ones of the person. */
export const shownPassagesMax = 3

const params = z.object({ id: PersonId })

/** What everybody may read of a person whose page is on. */
export const PersonPage = z.object({
  id: PersonId,
  name: z.string(),
  /** Empty when the person has written nothing. */
  introduction: z.string(),
  joinedAt: Instant,
  postCount: z.int(),
  storyCount: z.int(),
})
export type PersonPage = z.infer<typeof PersonPage>

/** A finished public story with the first passages that the person signed with the name. */
export const PersonStory = z.object({
  id: Id,
  name: z.string(),
  endedAt: Instant,
  passageCount: z.int(),
  passages: z.array(z.object({ id: Id, content: z.string(), position: z.int() })),
})
export type PersonStory = z.infer<typeof PersonStory>

export const getPerson = endpoint({
  summary: 'Answers the page of a person.',
  method: 'GET',
  path: '/api/people/:id',
  params,
  output: PersonPage,
  errors: ['PersonNotFound'],
})

export const listPersonPosts = endpoint({
  summary: 'Lists the published posts that carry the name of the person, the newest first.',
  method: 'GET',
  path: '/api/people/:id/posts',
  params,
  query: Page(personPostsMax),
  output: z.array(PublicPost),
  errors: ['PersonNotFound'],
})

export const listPersonStories = endpoint({
  summary: 'Lists the finished public stories that carry the name of the person, the latest end first.',
  method: 'GET',
  path: '/api/people/:id/stories',
  params,
  query: Page(personStoriesMax),
  output: z.array(PersonStory),
  errors: ['PersonNotFound'],
})
