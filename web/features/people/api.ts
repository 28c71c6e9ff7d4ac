import {
  getPerson,
  listPersonPosts,
  listPersonStories,
  personPostsAtOnce,
  personStoriesAtOnce,
} from '#contract/people/endpoints.ts'
import { useEndpoint } from '#web/lib/api.ts'
import { usePages } from '#web/lib/pages.ts'

/** The page of a person: the first posts and stories are requested with the person, not after it. */
export const usePersonPage = (id: string) => ({
  person: useEndpoint(getPerson, { params: { id }, staleTime: 0 }),
  posts: usePages(listPersonPosts, { limit: String(personPostsAtOnce) }, { id }),
  stories: usePages(listPersonStories, { limit: String(personStoriesAtOnce) }, { id }),
})
