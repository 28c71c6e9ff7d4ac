import { type RefObject, useEffect, useRef } from 'react'
import type { Pages } from '#web/lib/pages.ts'
import { Button } from '#web/ui/Button.tsx'

interface ShowMoreProps {
  of: Pages<unknown>
  list: RefObject<HTMLUListElement | null>
}

/** Below a list. Its button may go with the last page: the focus goes on to the first item that has come. */
export function ShowMore({ of: { items, readMore, isReadingMore }, list }: ShowMoreProps) {
  const count = items.length
  const firstNew = useRef<number>(undefined)

  useEffect(() => {
    if (firstNew.current === undefined || firstNew.current >= count) return
    list.current?.children[firstNew.current]?.querySelector<HTMLElement>('a, button:enabled')?.focus()
    firstNew.current = undefined
  }, [count, list])

  if (readMore === null) return null
  const more = () => {
    firstNew.current = count
    readMore()
  }
  return (
    <Button variant="quiet" className="self-center" busy={isReadingMore} onClick={more}>
      Show more
    </Button>
  )
}
