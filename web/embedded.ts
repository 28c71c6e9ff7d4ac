import type { QueryClient } from '@tanstack/react-query'
import { type AppConfig, getConfig } from '#contract/app/endpoints.ts'
import { getFeedDay, getPost } from '#contract/feed/endpoints.ts'
import type { PublicPost } from '#contract/feed/post.ts'
import { queryKeyOf } from '#web/lib/api.ts'

interface EmbeddedData {
  config: AppConfig
  feed: PublicPost[] | null
  post: PublicPost | null
}

/** Fills the cache with the data embedded in the page, so that the first paint waits for no call. */
export function takeEmbeddedData(client: QueryClient): void {
  const text = document.getElementById('embedded-data')?.textContent
  if (!text) return
  const { config, feed, post } = JSON.parse(text) as EmbeddedData
  client.setQueryData(queryKeyOf(getConfig), config)
  if (feed !== null) client.setQueryData(queryKeyOf(getFeedDay, { params: { offset: '0' } }), feed)
  if (post !== null) client.setQueryData(queryKeyOf(getPost, { params: { id: post.id } }), post)
}
