import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { getFeedDay } from '#contract/feed/reading/endpoints.ts'
import type { PublicPost } from '#contract/feed/post.ts'
import { answersOf } from '#web/lib/api.ts'

/** The posts of every feed day that this page has loaded so far, today's first; each post once. */
export function useLoadedPosts(): readonly PublicPost[] {
  const client = useQueryClient()
  return useSyncExternalStore(
    (listener) => client.getQueryCache().subscribe(listener),
    () => loadedPosts(client),
  )
}

function loadedPosts(client: QueryClient): readonly PublicPost[] {
  const days = client
    .getQueriesData<PublicPost[]>(answersOf([getFeedDay]))
    .toSorted(([[one]], [[other]]) => offsetOf(one) - offsetOf(other))
    .flatMap(([, posts]) => (posts ? [posts] : []))

  // The same days must give the same array, or React would render without end.
  const known = last.get(client)
  if (known?.days.length === days.length && known.days.every((day, index) => day === days[index]))
    return known.posts
  const posts = [...new Map(days.flat().map((post) => [post.id, post])).values()]
  last.set(client, { days, posts })
  return posts
}

const offsetOf = (path: unknown) => Number.parseInt(String(path).split('/').at(-1)!, 10)

const last = new WeakMap<QueryClient, { days: PublicPost[][]; posts: PublicPost[] }>()
