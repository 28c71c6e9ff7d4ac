import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { IconButton } from './IconButton.tsx'
import { cx } from './cx.ts'

interface ScrollingRowProps {
  label: string
  /** Cards of a fixed width. */
  children: ReactNode
}

const stepPx = 400
const indicatorMs = 1000

// Some browsers scroll an element with the arrow keys only if it can take the focus.
const reachableByKeys = { tabIndex: 0 }

/** A row that is meant to scroll sideways: by touch, wheel, keys, or two buttons. */
export function ScrollingRow({ label, children }: ScrollingRowProps) {
  const row = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState<Seen | null>(null)

  useEffect(() => {
    if (!seen) return
    const hiding = setTimeout(() => setSeen(null), indicatorMs)
    return () => clearTimeout(hiding)
  }, [seen])

  const step = (left: number) =>
    row.current?.scrollBy({ left, behavior: prefersStillness() ? 'auto' : 'smooth' })

  return (
    <div>
      <div
        ref={row}
        role="group"
        {...reachableByKeys}
        aria-label={label}
        onScroll={(event) => setSeen(seenOf(event.currentTarget))}
        className="relative -mx-1 flex gap-4 overflow-x-auto rounded-lg px-1 py-2 scrollbar-none *:shrink-0"
      >
        {children}
      </div>
      <div
        aria-hidden
        data-shown={seen !== null}
        className={cx(
          'relative h-0.5 overflow-hidden rounded-full bg-line transition-opacity duration-300 ease-out',
          !seen && 'opacity-0',
        )}
      >
        {seen && (
          <div
            className="absolute inset-y-0 rounded-full bg-lamp"
            style={{ insetInlineStart: `${seen.from * 100}%`, width: `${seen.part * 100}%` }}
          />
        )}
      </div>
      {/* The buttons are named after the sides of the window. */}
      <div dir="ltr" className="ms-auto flex w-fit gap-1">
        <IconButton label="Scroll left" icon={ChevronLeft} onClick={() => step(-stepPx)} />
        <IconButton label="Scroll right" icon={ChevronRight} onClick={() => step(stepPx)} />
      </div>
    </div>
  )
}

/** The start of the visible part of the row and its share of the whole, both from 0 to 1. */
interface Seen {
  from: number
  part: number
}

function seenOf({ scrollLeft, clientWidth, scrollWidth }: HTMLElement): Seen {
  // Where lines run from right to left, the row starts at 0 on the right, and `scrollLeft` is negative.
  return { from: Math.abs(scrollLeft) / scrollWidth, part: clientWidth / scrollWidth }
}

const prefersStillness = () => matchMedia('(prefers-reduced-motion: reduce)').matches
