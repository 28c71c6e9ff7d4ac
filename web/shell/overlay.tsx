import { type ComponentProps, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLocation } from 'wouter'
import { LoadingOverlay, type LoadingText } from './LoadingOverlay.tsx'

/** A shorter wait shows nothing. */
const shownAfterMs = 150

/** Shown in place of a page that is still loading. */
export function Waiting(props: ComponentProps<typeof LoadingOverlay>) {
  const [isLong, setIsLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsLong(true), shownAfterMs)
    return () => clearTimeout(timer)
  }, [])
  return isLong ? <LoadingOverlay {...props} /> : null
}

/** Links to a mail program and downloads: the browser fires `beforeunload` for them, but the page stays. */
const unloadsNothing = 'a[href^="mailto:"], a[download]'
/** If the page is still here this long after `beforeunload`, the overlay is removed. */
const stillHereAfterMs = 3000

const isOnboardingUrl = () => new URLSearchParams(location.search).get('onboarding') === 'true'
const isRoot = () => location.pathname === '/' && location.search === ''

/** Covers the page while it is hidden or being left, and never a page in use. */
export function PassingOverlay() {
  const [text, setText] = useState<LoadingText | null>(null)
  const [path] = useLocation()
  const shownPath = useRef(path)
  useEffect(() => void (shownPath.current = path), [path])

  // A layout effect listens before the router does, while the old page is still shown.
  useLayoutEffect(() => {
    let comingBack: ReturnType<typeof setTimeout>
    // Rendered at once: a page that is being left is not painted later.
    const show = () => flushSync(() => setText(isOnboardingUrl() ? 'Loading onboarding...' : 'Loading...'))
    const hide = () => setText(null)
    let isStaying = false
    const followLinks = ({ target }: MouseEvent) => {
      isStaying = target instanceof Element && target.closest(unloadsNothing) !== null
    }
    const coverLeaving = () => {
      if (isStaying) return
      show()
      comingBack = setTimeout(hide, stillHereAfterMs)
    }
    const followVisibility = () => (document.visibilityState === 'hidden' ? show() : hide())
    // The overlay stays until the other page is painted. The page under an article was painted before.
    const coverGoingBack = () => {
      if (shownPath.current.startsWith('/posts/') || !(isOnboardingUrl() || isRoot())) return
      show()
      requestAnimationFrame(() => requestAnimationFrame(hide))
    }
    addEventListener('click', followLinks, true)
    addEventListener('beforeunload', coverLeaving)
    addEventListener('pagehide', show)
    addEventListener('pageshow', hide)
    addEventListener('popstate', coverGoingBack)
    document.addEventListener('visibilitychange', followVisibility)
    return () => {
      clearTimeout(comingBack)
      removeEventListener('click', followLinks, true)
      removeEventListener('beforeunload', coverLeaving)
      removeEventListener('pagehide', show)
      removeEventListener('pageshow', hide)
      removeEventListener('popstate', coverGoingBack)
      document.removeEventListener('visibilitychange', followVisibility)
    }
  }, [])
  return text && <LoadingOverlay text={text} />
}
