import { type RefObject, useEffect, useState } from 'react'

/** Whether the element has been near the visible part of the page: at most `distance` away, such as '50%' of a screen. */
export function useIsNear(place: RefObject<HTMLElement | null>, distance: string) {
  const [isNear, setIsNear] = useState(false)
  useEffect(() => {
    if (isNear || place.current === null) return
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setIsNear(true),
      { rootMargin: distance },
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [isNear, place, distance])
  return isNear
}
