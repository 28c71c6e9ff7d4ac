import { useLayoutEffect, useRef, useState } from 'react'
import { useIsInBrowser } from '#web/lib/in-browser.ts'
import { Button } from '#web/ui/Button.tsx'
import { cx } from '#web/ui/cx.ts'
import type { ReadingPosition } from './position.ts'
import { keepPosition, positionIn } from './positions.ts'
import { followReading, scrollerOf } from './scrolling.ts'
import { useReader } from './use-reader.ts'

interface LeftOffProps {
  /** The id of the post or the room. */
  id: string
  className?: string
}

/**
 * Opens a text at the reading position of this reader, and keeps the position while the reader scrolls. It stands beside
 * the element with the attribute `data-long-text`, which has the text, and appears together with the text.
 */
export function LeftOff({ id, className }: LeftOffProps) {
  const reader = useReader()
  const notice = useRef<HTMLDivElement>(null)
  const isInBrowser = useIsInBrowser()
  const [opened, setOpened] = useState<{
    reader: string
    id: string
    position: ReadingPosition | undefined
  }>()
  if (isInBrowser && reader !== undefined && (opened?.reader !== reader || opened.id !== id))
    // An address that names an element of the page leads to this element.
    setOpened({ reader, id, position: location.hash === '' ? positionIn(reader, id) : undefined })
  const position = opened?.position

  // Before the browser paints the line and the text below it.
  useLayoutEffect(() => {
    if (opened === undefined) return
    const keep = (read: ReadingPosition | undefined) => keepPosition(opened.reader, opened.id, read)
    const onReadOn = () => setOpened({ ...opened, position: undefined })
    return followReading(notice.current!, { position: opened.position, keep, onReadOn })
  }, [opened])

  const start = () => {
    keepPosition(opened!.reader, id, undefined)
    setOpened({ ...opened!, position: undefined })
    scrollerOf(notice.current!).scrollTo(0, 0)
    const title = notice.current!.parentElement!.querySelector('h1')!
    title.tabIndex = -1
    title.focus()
  }
  return (
    <div ref={notice} className={cx('sticky top-(--text-top,0px) z-10 h-0 print:hidden', className)}>
      <div
        className={cx(
          position !== undefined &&
            'flex items-center justify-between gap-3 border-b border-line py-2 bg-(--text-ground,var(--paper)) font-sans text-sm text-ink-soft',
        )}
      >
        <div role="status">{position !== undefined && 'You left off here'}</div>
        {position !== undefined && (
          <Button variant="link" onClick={start}>
            Start from the beginning
          </Button>
        )}
      </div>
    </div>
  )
}
