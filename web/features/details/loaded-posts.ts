import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { getFeedDay } from '#contract/feed/endpoints.ts'
import type { Post } from '#contract/feed/post.ts'

/** The posts of every feed day that this page has loaded so far, today's first; each post once. */
export function useLoadedPosts(): readonly Post[] {
  const client = useQueryClient()
  return useSyncExternalStore(
    (listener) => client.getQueryCache().subscribe(listener),
    () => loadedPosts(client),
  )
}

const dayPath = getFeedDay.path.replace(':offset', '')

function loadedPosts(client: QueryClient): readonly Post[] {
  const days = client
    .getQueriesData<Post[]>({ predicate: ({ queryKey: [path] }) => String(path).startsWith(dayPath) })
    .toSorted(([[one]], [[other]]) => offsetOf(one) - offsetOf(other))
    .flatMap(([, posts]) => (posts ? [posts] : []))

  // The same days must answer the same array, or React would render without end.
  const known = last.get(client)
  if (known?.days.length === days.length && known.days.every((day, index) => day === days[index])) {
    return known.posts
  }
  const posts = [...new Map(days.flat().map((post) => [post.id, post])).values()]
  last.set(client, { days, posts })
  return posts
}

const offsetOf = (path: unknown) => Number.parseInt(String(path).slice(dayPath.length), 10)

const last = new WeakMap<QueryClient, { days: Post[][]; posts: Post[] }>()
