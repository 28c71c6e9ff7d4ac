import { useLayoutEffect, useRef, useState } from 'react'
import { useIsInBrowser } from '#web/lib/in-browser.ts'
import { Button } from '#web/ui/Button.tsx'
import { cx } from '#web/ui/cx.ts'
import type { Place } from './place.ts'
import { keepPosition, positionIn } from './positions.ts'
import { followReading, scrollerOf } from './scrolling.ts'
import { useReader } from './use-reader.ts'

interface LeftOffProps {
  /** The id of the post or the room. */
  id: string
  className?: string
}

/**
 * Opens a text where this reader left it, and keeps the place that is read. It stands in the column of the text, whose
 * element has the attribute `data-long-text`, and appears together with the text.
 */
export function LeftOff({ id, className }: LeftOffProps) {
  const reader = useReader()
  const mark = useRef<HTMLDivElement>(null)
  const isInBrowser = useIsInBrowser()
  const [opened, setOpened] = useState<{ reader: string; id: string; at: Place | undefined }>()
  if (isInBrowser && reader !== undefined && (opened?.reader !== reader || opened.id !== id))
    // An address that names an element of the page leads to this element.
    setOpened({ reader, id, at: location.hash === '' ? positionIn(reader, id) : undefined })
  const place = opened?.at

  // Before the browser paints the line and the text below it.
  useLayoutEffect(() => {
    if (opened === undefined) return
    const keep = (read: Place | undefined) => keepPosition(opened.reader, opened.id, read)
    const onReadOn = () => setOpened({ ...opened, at: undefined })
    return followReading(mark.current!, { place: opened.at, keep, onReadOn })
  }, [opened])

  const start = () => {
    keepPosition(opened!.reader, id, undefined)
    setOpened({ ...opened!, at: undefined })
    scrollerOf(mark.current!).scrollTo(0, 0)
    const title = mark.current!.parentElement!.querySelector('h1')!
    title.tabIndex = -1
    title.focus()
  }
  return (
    <div ref={mark} className={cx('sticky top-(--text-top,0px) z-10 h-0 print:hidden', className)}>
      <div
        className={cx(
          place !== undefined &&
            'flex items-center justify-between gap-3 border-b border-line bg-(--text-ground,var(--paper)) font-sans text-sm text-ink-soft',
        )}
      >
        <div role="status">{place !== undefined && 'You left off here'}</div>
        {place !== undefined && (
          <Button variant="link" onClick={start}>
            Start from the beginning
          </Button>
        )}
      </div>
    </div>
  )
}
