import { hashKey, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { useLocation, useSearch } from 'wouter'
import { pagePaths } from '#contract/app/pages.ts'
import { isPublicStory } from '#contract/rooms/paths.ts'
import type { Room } from '#contract/rooms/room.ts'
import { useSession } from '#web/features/account/index.ts'
import { DetailsProvider } from '#web/features/details/index.ts'
import { RequestError } from '#web/lib/request.ts'
import { isBrowsing } from '#web/lib/session-keys.ts'
import { Frame } from './Frame.tsx'
import { NotFound } from './NotFound.tsx'
import { Waiting } from './overlay.tsx'

/** The page of an article, a finished story or a person, and those that need no session either. */
const openPath =
  /^\/(about|invitations|mail|notices|openid|privacy|reset|rules|setup|terms|verify|projects\/finished|(posts|stories)\/[^/]+|people\/[0-9a-hjkmnp-tv-z]{10})$/
const isPage = (path: string) =>
  (pagePaths as readonly string[]).includes(path) || /^\/write(\/|$)/.test(path) || openPath.test(path)
/** A visitor also reads the days of the feed, and searches. */
const isForVisitors = (path: string) => path === '/dashboard' || path === '/search' || openPath.test(path)

/** Shows the page, the onboarding page, or the 404 page. */
export function Gate({ onboarding, children }: { onboarding: ReactNode; children: ReactNode }) {
  const [path] = useLocation()
  const isForced = new URLSearchParams(useSearch()).get('onboarding') === 'true'
  const { state } = useSession()
  const isSentBack = useSentBack()
  const isMissing = useIsMissing(path)

  if (!isPage(path) || isMissing) return <NotFound />
  const isOut = state === 'none' && !isBrowsing()
  if (isForced || (isOut && !isForVisitors(path)) || (isSentBack && !openPath.test(path))) {
    const text = isForced || isSentBack ? 'Loading onboarding...' : 'Loading Z!mmer...'
    return <Suspense fallback={<Waiting text={text} />}>{onboarding}</Suspense>
  }
  return (
    <DetailsProvider>
      <Frame>{children}</Frame>
    </DetailsProvider>
  )
}

/** Whether another tab has cleared the flag of onboarding. */
function useSentBack() {
  const [isSentBack, setIsSentBack] = useState(false)
  useEffect(() => {
    const followOtherTabs = ({ key, newValue }: StorageEvent) => {
      // Without a key the whole storage was cleared.
      if (key === null || (key === 'onboardingCompleted' && newValue === null)) setIsSentBack(true)
    }
    addEventListener('storage', followOtherTabs)
    return () => removeEventListener('storage', followOtherTabs)
  }, [])
  return isSentBack
}

/** The cache key of `isMissing`: whether the server answered the first address with the 404 page. */
export const isMissingKey = ['is missing']

/** Whether there is no such article, finished public story or person. The page itself makes the request. */
function useIsMissing(path: string) {
  const [firstPath] = useState(path)
  const wasMissing = useQueryClient().getQueryData(isMissingKey) === true
  const room = path.replace(/^\/stories\//, '/zimmers/')
  const { state, isReadSince } = useCachedAnswer<Room>(`/api${room}`)
  // A cached answer may be older than the end of the room.
  const isNoStory = room !== path && isReadSince && state?.data !== undefined && !isPublicStory(state.data)
  const error = state?.error
  return (
    (wasMissing && path === firstPath) || isNoStory || (error instanceof RequestError && error.status === 404)
  )
}

/**
 * What the cache has for a path, and whether it was read since this path is shown. A `useQuery` without a function of its own
 * would take that of the page away, so that a refresh fails.
 */
function useCachedAnswer<T>(path: string) {
  const cache = useQueryClient().getQueryCache()
  const stateNow = () => cache.get<T>(hashKey([path]))?.state
  const state = useSyncExternalStore((onChange) => cache.subscribe(onChange), stateNow, stateNow)
  const [shown, setShown] = useState({ path, reads: state?.dataUpdateCount ?? 0 })
  if (shown.path !== path) setShown({ path, reads: state?.dataUpdateCount ?? 0 })
  return { state, isReadSince: shown.path === path && (state?.dataUpdateCount ?? 0) > shown.reads }
}
