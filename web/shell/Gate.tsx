import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { pagePaths } from '#contract/app/pages.ts'
import { useSession } from '#web/features/account/index.ts'
import { DetailsProvider } from '#web/features/details/index.ts'
import { isBrowsing } from '#web/lib/session-storage.ts'
import { Frame } from './Frame.tsx'
import { NotFound } from './NotFound.tsx'
import { Waiting } from './overlay.tsx'

const needsNoSession = (path: string) => path === '/about' || path.startsWith('/posts/')
const isPage = (path: string) =>
  (pagePaths as readonly string[]).includes(path) || /^\/posts\/[^/]+$/.test(path)

/** Chooses between the house, its door and a door that is not there. */
export function Gate({ onboarding, children }: { onboarding: ReactNode; children: ReactNode }) {
  const [path] = useLocation()
  const isForced = new URLSearchParams(useSearch()).get('onboarding') === 'true'
  const { state } = useSession()
  const [isSentBack, setIsSentBack] = useState(false)

  useEffect(() => {
    const followOtherTabs = ({ key, newValue }: StorageEvent) => {
      if (key === 'onboardingCompleted' && newValue === null) setIsSentBack(true)
    }
    addEventListener('storage', followOtherTabs)
    return () => removeEventListener('storage', followOtherTabs)
  }, [])

  if (!isPage(path)) return <NotFound />
  const isOut = state === 'none' && !isBrowsing()
  if (isForced || (!needsNoSession(path) && (isOut || isSentBack))) {
    return (
      <Suspense fallback={<Waiting text={isForced ? 'Loading onboarding...' : 'Z!mmer'} />}>
        {onboarding}
      </Suspense>
    )
  }
  return (
    <DetailsProvider>
      <Frame>{children}</Frame>
    </DetailsProvider>
  )
}
