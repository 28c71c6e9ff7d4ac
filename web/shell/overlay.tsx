import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLocation } from 'wouter'
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

/** A link to a mail program or a download unloads nothing, though the browser says so. */
const unloadsNothing = 'a[href^="mailto:"], a[download]'
/** Whatever else stays although the browser has said that it goes: then the page comes back. */
const comesBackAfterMs = 3000

const isOnboardingUrl = () => new URLSearchParams(location.search).get('onboarding') === 'true'
const isRoot = () => location.pathname === '/' && location.search === ''

/** Covers the page while it is left, hidden or gone back from, and never a page that can be used. */
export function PassingOverlay() {
  const [text, setText] = useState<LoadingText | null>(null)
  const [path] = useLocation()
  const shownPath = useRef(path)
  useEffect(() => void (shownPath.current = path), [path])

  // A layout effect listens before the router does, while the page that is left still stands.
  useLayoutEffect(() => {
    let comingBack: ReturnType<typeof setTimeout>
    // At once, for a page that is left is not painted again.
    const show = () => flushSync(() => setText(isOnboardingUrl() ? 'Loading onboarding...' : 'Loading...'))
    const hide = () => setText(null)
    let isStaying = false
    const followLinks = ({ target }: MouseEvent) => {
      isStaying = target instanceof Element && target.closest(unloadsNothing) !== null
    }
    const coverLeaving = () => {
      if (isStaying) return
      show()
      comingBack = setTimeout(hide, comesBackAfterMs)
    }
    const followVisibility = () => (document.visibilityState === 'hidden' ? show() : hide())
    // The cover lasts until the other page is painted; under an article it was there all the time.
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
