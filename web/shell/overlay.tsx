import { useEffect, useState } from 'react'
import { LoadingOverlay, type LoadingText } from '#web/ui/LoadingOverlay.tsx'

/** Waiting is shown only when it lasts. */
const shownAfterMs = 150

/** Stands where a page is still on its way. */
export function Waiting({ text }: { text: LoadingText }) {
  const [isLong, setIsLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsLong(true), shownAfterMs)
    return () => clearTimeout(timer)
  }, [])
  return isLong ? <LoadingOverlay text={text} /> : null
}

const isOnboardingUrl = () => new URLSearchParams(location.search).get('onboarding') === 'true'
const isRoot = () => location.pathname === '/' && location.search === ''

/** Covers the page while it is left, hidden or gone back from, and never a page that can be used. */
export function PassingOverlay() {
  const [text, setText] = useState<LoadingText | null>(null)

  useEffect(() => {
    const show = () => setText(isOnboardingUrl() ? 'Loading onboarding...' : 'Loading...')
    const hide = () => setText(null)
    const followVisibility = () => (document.visibilityState === 'hidden' ? show() : hide())
    // Going back paints the other page at once: the cover lasts until it is there.
    const coverGoingBack = () => {
      if (!isOnboardingUrl() && !isRoot()) return
      show()
      requestAnimationFrame(() => requestAnimationFrame(hide))
    }
    addEventListener('pagehide', show)
    addEventListener('pageshow', hide)
    addEventListener('popstate', coverGoingBack)
    document.addEventListener('visibilitychange', followVisibility)
    return () => {
      removeEventListener('pagehide', show)
      removeEventListener('pageshow', hide)
      removeEventListener('popstate', coverGoingBack)
      document.removeEventListener('visibilitychange', followVisibility)
    }
  }, [])
  return text && <LoadingOverlay text={text} />
}
