import type { QueryClient } from '@tanstack/react-query'
import { getMe } from '#contract/account/endpoints.ts'
import { getConfig } from '#contract/app/endpoints.ts'
import { queryKeyOf } from '#web/lib/api.ts'
import { readAnswer } from '#web/lib/device/answers.ts'
import { startMirror } from '#web/lib/device/mirror.ts'
import { readKey } from '#web/lib/session-keys.ts'
import { preloadPage } from '#web/shell/preload.ts'
import { keptQueries } from './kept-queries.ts'

/** A database that does not open must not hold the page back for longer. */
const restoreWithinMs = 3000

/**
 * For a page that the service worker has answered, which has no data: puts the kept person into the cache, and starts the
 * mirror, which puts the other kept answers there. Resolves when the script of the page is loaded too, or after
 * `restoreWithinMs`.
 */
export async function restore(client: QueryClient): Promise<void> {
  const owner = readKey('userId')
  const tooLate = new Promise((resolve) => setTimeout(resolve, restoreWithinMs))
  const restored = owner !== null && restoreFor(client, owner).catch(console.error)
  await Promise.race([Promise.all([restored, preloadPage(location.pathname)]), tooLate])
}

async function restoreFor(client: QueryClient, owner: string) {
  for (const queryKey of [queryKeyOf(getMe), queryKeyOf(getConfig)]) {
    const kept = await readAnswer(owner, queryKey)
    // As old as can be: the server is asked as soon as it can be reached.
    if (kept) client.setQueryData(queryKey, kept.answer, { updatedAt: 0 })
  }
  if (client.getQueryData(queryKeyOf(getMe)))
    startMirror(client, owner, keptQueries, { showsKeptFirst: true })
}
