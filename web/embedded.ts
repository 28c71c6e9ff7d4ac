import type { QueryClient } from '@tanstack/react-query'
import type { PageData } from '#contract/app/page-data.ts'
import { embeddedStory } from '#web/features/rooms/index.ts'
import { storeFirstPage } from '#web/lib/first-page.ts'
import { setRenderedTitle } from '#web/lib/page-title.ts'
import { isMissingKey } from '#web/shell/Gate.tsx'

/** Fills the cache with the data embedded in the page, so that the first paint waits for no call. */
export function takeEmbeddedData(client: QueryClient): void {
  const text = document.getElementById('embedded-data')?.textContent
  if (text) storePageData(client, JSON.parse(text) as PageData)
}

/** Fills the cache with the data of a page, in the browser and on the server. */
export function storePageData(
  client: QueryClient,
  { title, answers, lists, story, isMissing }: PageData,
): void {
  setRenderedTitle(title)
  client.setQueryData(isMissingKey, isMissing)
  for (const [path, answer] of Object.entries(answers)) client.setQueryData([path], answer)
  for (const [path, page] of Object.entries(lists)) storeFirstPage(client, path, page)
  if (story) client.setQueryData([story.path, embeddedStory], story.passages)
}
