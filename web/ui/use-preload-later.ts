import { useEffect } from 'react'

/** What the person waits for is fetched first. */
export const preloadAfterMs = 4000

/** Fetches a part of the page before it is opened, some time after the page was shown. A failure shows when it is opened. */
export function usePreloadLater(preload: () => Promise<unknown>) {
  useEffect(() => {
    const timer = setTimeout(() => void preload().catch(() => {}), preloadAfterMs)
    return () => clearTimeout(timer)
  }, [preload])
}
