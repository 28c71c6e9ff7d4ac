import { type MouseEvent, type RefObject, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { Button, buttonClass } from './Button.tsx'

interface ShowMoreProps {
  of: { items: readonly unknown[]; readMore: (() => void) | null; isReadingMore: boolean }
  list: RefObject<HTMLUListElement | null>
  /** The address of a page with the next items, for readers without scripts. */
  href?: string | undefined
}

/** The button below a list that loads its next page. The focus moves to the first new item: the last page has no button. */
export function ShowMore({ of: { items, readMore, isReadingMore }, list, href }: ShowMoreProps) {
  const count = items.length
  /** The numbers of loaded and of shown items when the button was pressed. The list may show only some of the items. */
  const before = useRef<{ count: number; shown: number }>(undefined)

  useEffect(() => {
    if (list.current === null || before.current === undefined || before.current.count >= count) return
    const shown = [...list.current.children]
    const item = shown[before.current.shown] ?? (readMore === null ? shown.at(-1) : undefined)
    item?.querySelector<HTMLElement>('a, button:enabled')?.focus()
    before.current = undefined
  }, [count, readMore, list])

  if (readMore === null) return null
  const more = () => {
    before.current = { count, shown: list.current?.children.length ?? 0 }
    readMore()
  }
  if (href !== undefined) {
    const moreHere = (event: MouseEvent) => {
      event.preventDefault()
      if (!isReadingMore) more()
    }
    return (
      <Link
        href={href}
        rel="next"
        aria-busy={isReadingMore || undefined}
        onClick={moreHere}
        className={buttonClass('quiet', 'self-center')}
      >
        Show more
      </Link>
    )
  }
  return (
    <Button variant="quiet" className="self-center" busy={isReadingMore} onClick={more}>
      Show more
    </Button>
  )
}
