import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react'
import { part, type ShowFailure } from './part.tsx'
import { useIsNear } from './use-is-near.ts'
import { preloadAfterMs } from './use-preload-later.ts'

/**
 * A part below the first screen, fetched when a reader scrolls near it. All others follow some time after the page was
 * shown, for the search of the browser and the list of headings. `waiting` should have the size of the part.
 */
export function nearPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  showFailure: ShowFailure<Props>,
  waiting: (props: Props) => ReactNode,
) {
  const Part = part(load, showFailure, waiting)
  return function NearPart(props: Props) {
    const place = useRef<HTMLDivElement>(null)
    const isNear = useIsNear(place, '25%')
    const [isLate, setIsLate] = useState(false)
    useEffect(() => {
      const timer = setTimeout(() => setIsLate(true), preloadAfterMs)
      return () => clearTimeout(timer)
    }, [])
    return <div ref={place}>{isNear || isLate ? <Part {...props} /> : waiting(props)}</div>
  }
}
