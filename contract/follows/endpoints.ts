import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { PublicPost } from '#contract/feed/post.ts'
import { FollowedPerson, followsMax } from '#contract/follows/follow.ts'
import { Done, Page, PersonId } from '#contract/schemas.ts'

export const listFollowsMax = 100
export const followedPostsMax = 50

const params = z.object({ personId: PersonId })

export const followPerson = endpoint({
  summary: 'Follows a person who has a page.',
  description: `At most ${followsMax} people. Nobody but the caller learns of it.`,
  method: 'PUT',
  path: '/api/follows/:personId',
  params,
  output: Done,
  errors: ['PersonNotFound', 'FollowsFull'],
})

export const unfollowPerson = endpoint({
  summary: 'Ends following a person.',
  method: 'DELETE',
  path: '/api/follows/:personId',
  params,
  output: Done,
})

export const listFollows = endpoint({
  summary: 'Lists the people whom the caller follows, the last followed one first.',
  description:
    'Only people with a page that the caller may read. A person whose page is off is listed again once it is on.',
  method: 'GET',
  path: '/api/follows',
  query: Page(listFollowsMax),
  output: z.array(FollowedPerson),
})

export const listFollowedIds = endpoint({
  summary: 'Lists the ids of all people whom the caller follows.',
  description: `The same people as in \`listFollows\`: at most ${followsMax}.`,
  method: 'GET',
  path: '/api/followed-ids',
  output: z.array(PersonId),
})

export const listFollowedPosts = endpoint({
  summary: 'Lists the public posts of the people whom the caller follows, the newest first.',
  description:
    'Only posts that lead to the page of their author. A page of long posts is shorter than `limit`: the list ends where `Next-Before` is missing.',
  method: 'GET',
  path: '/api/feed/following',
  query: Page(followedPostsMax),
  output: z.array(PublicPost),
})
