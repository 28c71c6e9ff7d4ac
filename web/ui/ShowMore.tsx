import { type RefObject, useEffect, useRef } from 'react'
import { Button } from './Button.tsx'

interface ShowMoreProps {
  of: { items: readonly unknown[]; readMore: (() => void) | null; isReadingMore: boolean }
  list: RefObject<HTMLUListElement | null>
}

/** The button below a list that loads its next page. The focus moves to the first new item: the last page has no button. */
export function ShowMore({ of: { items, readMore, isReadingMore }, list }: ShowMoreProps) {
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
  return (
    <Button variant="quiet" className="self-center" busy={isReadingMore} onClick={more}>
      Show more
    </Button>
  )
}
