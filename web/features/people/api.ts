import {
  getPerson,
  listPersonPosts,
  listPersonStories,
  personPostsAtOnce,
  personStoriesAtOnce,
} from '#contract/people/endpoints.ts'
import type { PersonList } from '#contract/people/paths.ts'
import { useEndpoint } from '#web/lib/api.ts'
import { usePages } from '#web/lib/pages.ts'

/** The cursors after which the lists begin; null for the newest texts. */
export type Before = Record<PersonList, string | null>

/** The page of a person: the posts and stories are requested with the person, not after it. */
export const usePersonPage = (id: string, before: Before) => ({
  person: useEndpoint(getPerson, { params: { id }, staleTime: 0 }),
  posts: usePages(listPersonPosts, queryOf(personPostsAtOnce, before.posts), { id }),
  stories: usePages(listPersonStories, queryOf(personStoriesAtOnce, before.stories), { id }),
})

const queryOf = (limit: number, before: string | null) => ({
  limit: String(limit),
  ...(before !== null && { before }),
})
