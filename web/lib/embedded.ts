import type { QueryClient } from '@tanstack/react-query'
import { type AppConfig, getConfig } from '#contract/app/endpoints.ts'
import { getFeedDay, getPost } from '#contract/feed/endpoints.ts'
import type { Post } from '#contract/feed/post.ts'
import { keyOf } from './api.ts'

interface EmbeddedData {
  config: AppConfig
  feed: Post[] | null
  post: Post | null
}

/** Fills the cache with what came along in the page, so that the first paint waits for no call. */
export function takeEmbeddedData(client: QueryClient): void {
  const text = document.getElementById('embedded-data')?.textContent
  if (!text) return
  const { config, feed, post } = JSON.parse(text) as EmbeddedData
  client.setQueryData(keyOf(getConfig), config)
  if (feed !== null) client.setQueryData(keyOf(getFeedDay, { params: { offset: '0' } }), feed)
  if (post !== null) client.setQueryData(keyOf(getPost, { params: { id: post.id } }), post)
}
