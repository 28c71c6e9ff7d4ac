import { useEffect, useLayoutEffect, useRef, useState } from 'react'

/** The end of the list counts as visible up to so many pixels below the window. */
const nearPx = 160

/**
 * Scrolls to the end of a growing list when the person reads at its end, or is adding to it. A person who reads further up
 * is not moved. `newest` is the place of the newest item: each new item has a greater one. `below` changes when what stands
 * below the list gets another height.
 */
export function useStickToEnd<Place extends string | number>(
  newest: Place,
  isAdding: boolean,
  below?: boolean,
) {
  const end = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const [seen, setSeen] = useState(newest)

  useEffect(() => {
    const checkEnd = () => {
      if (end.current === null) return
      isAtEnd.current = end.current.getBoundingClientRect().bottom <= innerHeight + nearPx
      if (isAtEnd.current) setSeen(newest)
    }
    // The keyboard of a phone covers half of the window and resizes it.
    const stick = () => isAtEnd.current && goTo(end.current)
    addEventListener('scroll', checkEnd, { passive: true })
    addEventListener('resize', stick)
    return () => {
      removeEventListener('scroll', checkEnd)
      removeEventListener('resize', stick)
    }
  }, [newest])

  useLayoutEffect(() => {
    isAtEnd.current ||= isAdding
    if (!isAtEnd.current) return
    goTo(end.current)
    setSeen(newest)
  }, [newest, isAdding, below])

  return { end, isBehind: seen < newest, goToEnd: () => goTo(end.current) }
}

/** Scrolls no further than needed, so that the head of a short list stays visible. */
const goTo = (end: HTMLElement | null) => end?.scrollIntoView({ block: 'nearest' })
