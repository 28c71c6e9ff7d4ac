import { ChevronLeft, ChevronRight, PenLine } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { onKeys } from '#web/lib/keys.ts'
import { Button } from '#web/ui/Button.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { usePrefetchDay } from './api.ts'

interface DayNavigatorProps {
  label: string
  /** Days before today. */
  offset: number
  onChange: (offset: number) => void
  onWrite: () => void
}

export function DayNavigator({ label, offset, onChange, onWrite }: DayNavigatorProps) {
  const prefetch = usePrefetchDay()
  const [older, newer] = [offset + 1, offset - 1]
  const previous = useRef<HTMLButtonElement>(null)
  const next = useRef<HTMLButtonElement>(null)

  useLayoutEffect(() => {
    const stops = [onKeys('[', () => onChange(older)), onKeys(']', () => onChange(newer))]
    return () => stops.forEach((stop) => stop())
  }, [onChange, older, newer])
  // On today 'Next day' is disabled: whoever came there by keyboard goes on from its neighbour.
  useLayoutEffect(() => {
    if (offset === 0 && document.activeElement === next.current) previous.current?.focus()
  }, [offset, previous, next])

  return (
    <header className="flex flex-wrap items-end justify-between gap-4 border-b border-line pb-4">
      <div>
        <h1 className="font-sans text-sm font-medium tracking-wide text-ink-soft">Feed</h1>
        <p aria-live="polite" className="font-serif text-3xl">
          {label}
        </p>
      </div>
      <div className="flex items-center gap-2">
        <IconButton
          ref={previous}
          label="Previous day"
          icon={ChevronLeft}
          onClick={() => onChange(older)}
          onPointerEnter={() => prefetch(older)}
          onFocus={() => prefetch(older)}
        />
        <IconButton
          ref={next}
          label="Next day"
          icon={ChevronRight}
          disabled={offset === 0}
          onClick={() => onChange(newer)}
          onPointerEnter={() => prefetch(newer)}
          onFocus={() => prefetch(newer)}
        />
        <Button onClick={onWrite}>
          <PenLine aria-hidden className="size-4" />
          Create Post
        </Button>
      </div>
    </header>
  )
}
