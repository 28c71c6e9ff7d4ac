import { useEffect, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useIsOverFeed } from '#web/features/posts/index.ts'
import { useCurrentPageTitle } from '#web/lib/page-title.ts'

/**
 * After a change of page the focus goes to the heading of the new page, and a live region names the page. It stands in
 * the `Suspense` of the pages, so that its effect runs when the new page is shown and not while it is loading.
 */
export function PageChange() {
  const page = usePage()
  const title = useCurrentPageTitle()
  const shown = useRef(page)
  const [hasChanged, setHasChanged] = useState(false)
  useEffect(() => {
    if (shown.current === page) return
    shown.current = page
    setHasChanged(true)
    return focusHeading()
  }, [page])
  return (
    <div aria-live="polite" className="sr-only">
      {hasChanged && title}
    </div>
  )
}

/** The part of the address that names the page, without parameters such as the day of the feed. */
function usePage() {
  const [path] = useLocation()
  const search = new URLSearchParams(useSearch())
  const isOverFeed = useIsOverFeed()
  // An article over the feed takes the focus itself.
  if (path === '/' || isOverFeed) return '/dashboard'
  return `${path} ${search.get('view') === 'rooms'} ${search.get('room')}`
}

/** A page that is loading may have no heading yet: the focus is on `main` until it has one. Returns a function that stops waiting. */
function focusHeading(): (() => void) | undefined {
  const main = document.getElementById('main')
  // Something on the page has taken the focus itself, such as the field of an opened room.
  if (main === null || main.contains(document.activeElement)) return undefined
  if (focus(main.querySelector('h1'))) return undefined
  focus(main)
  const waiting = new MutationObserver(() => {
    if (document.activeElement !== main || focus(main.querySelector('h1'))) waiting.disconnect()
  })
  waiting.observe(main, { childList: true, subtree: true })
  return () => waiting.disconnect()
}

function focus(element: HTMLElement | null): boolean {
  if (element === null) return false
  element.tabIndex = -1
  element.focus()
  return true
}
