import { useEffect, useLayoutEffect, useRef, useState } from 'react'

/** The end counts as in sight so many pixels below the window. */
const nearPx = 160

/**
 * Keeps the end of a growing list in sight of who is there, or has just added to it, and lets who reads further up stay
 * where they are.
 */
export function useFollowing(count: number, isAdding: boolean) {
  const end = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const [seen, setSeen] = useState(count)

  useEffect(() => {
    const look = () => {
      if (end.current === null) return
      isAtEnd.current = end.current.getBoundingClientRect().bottom <= innerHeight + nearPx
      if (isAtEnd.current) setSeen(count)
    }
    // The keyboard of a phone takes half of the window.
    const follow = () => isAtEnd.current && goTo(end.current)
    addEventListener('scroll', look, { passive: true })
    addEventListener('resize', follow)
    return () => {
      removeEventListener('scroll', look)
      removeEventListener('resize', follow)
    }
  }, [count])

  useLayoutEffect(() => {
    isAtEnd.current ||= isAdding
    if (!isAtEnd.current) return
    goTo(end.current)
    setSeen(count)
  }, [count, isAdding])

  return { end, isBehind: seen < count, goToEnd: () => goTo(end.current) }
}

/** No further than needed: of a short story the head stays in sight. */
const goTo = (end: HTMLElement | null) => end?.scrollIntoView({ block: 'nearest' })
