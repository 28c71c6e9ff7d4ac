import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listBookmarkIds } from '#contract/bookmarks/endpoints.ts'
import type { PublicPost } from '#contract/feed/post.ts'
import { getPost } from '#contract/feed/reading/endpoints.ts'
import { queryKeyOf, queryOf, useEndpoint } from '#web/lib/api.ts'
import { forgetAnswer, keepAnswer, keptAddresses } from '#web/lib/device/answers.ts'

/** So many of the posts that a person keeps to read later are on the device, the last kept ones. */
const keptMost = 50

/** Names the part of the list in the settings. */
export const keptPostsKind = 'later'

const wantedOf = (ids: readonly string[]) => ids.slice(0, keptMost)

/** What a device keeps of a post that was read: the post, if the person keeps it to read later. */
export const keptPost = (
  post: PublicPost,
  _queryKey: unknown,
  client: QueryClient,
): PublicPost | undefined =>
  wantedOf(client.getQueryData<string[]>(queryKeyOf(listBookmarkIds)) ?? []).includes(post.id)
    ? post
    : undefined

/** What a device keeps of the list: its first page. Without a cursor, because the next page cannot be read without a network. */
export const keptFirstPage = <Page extends { nextBefore: string | null }>({
  pages,
  pageParams,
}: InfiniteData<Page>): InfiniteData<Page> => ({
  pages: pages.slice(0, 1).map((page) => ({ ...page, nextBefore: null })),
  pageParams: pageParams.slice(0, 1),
})

/** Keeps the texts of the posts that the person keeps to read later, once some page has read which they are. */
export function useKeptPosts(personId: string): void {
  const client = useQueryClient()
  const { data: ids } = useEndpoint(listBookmarkIds, { enabled: false })
  useEffect(() => {
    if (ids === undefined) return
    const leaving = new AbortController()
    void keepPosts(client, personId, wantedOf(ids), leaving.signal).catch(() => {})
    return () => leaving.abort()
  }, [client, personId, ids])
}

/** One after the other. A failure ends it: the network is away, and the next page goes on. */
async function keepPosts(client: QueryClient, owner: string, ids: readonly string[], leaving: AbortSignal) {
  const keyOf = (id: string) => queryKeyOf(getPost, { params: { id } })
  const wanted = new Set(ids.map((id) => keyOf(id)[0]!))
  const kept = await keptAddresses(owner, getPost.path.replace(':id', ''))
  for (const address of kept) if (!wanted.has(address)) await forgetAnswer(owner, [address])
  for (const id of ids) {
    if (leaving.aborted) return
    if (kept.includes(keyOf(id)[0]!)) continue
    const value = await client.fetchQuery({
      ...queryOf(getPost, { params: { id } }),
      staleTime: Infinity,
      retry: false,
    })
    await keepAnswer(owner, keyOf(id), { kind: keptPostsKind, value, keptAt: Date.now() })
  }
}
