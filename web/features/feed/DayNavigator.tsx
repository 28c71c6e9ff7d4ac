import { CalendarDays, ChevronLeft, ChevronRight, PenLine } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { addDays, dateLabel, dayLabel } from '#contract/days.ts'
import { useSession } from '#web/features/account/index.ts'
import { onKeys } from '#web/lib/keys.ts'
import { Button } from '#web/ui/Button.tsx'
import { cx } from '#web/ui/cx.ts'
import { IconButton, IconLink } from '#web/ui/IconButton.tsx'
import { usePrefetchDay } from './api.ts'
import { feedTitleId, isInFeed, oldestDay, pathInFeed } from './day-names.ts'

interface DayNavigatorProps {
  today: string
  day: string
  onChange: (day: string) => void
  onWrite: () => void
}

export function DayNavigator({ today, day, onChange, onWrite }: DayNavigatorProps) {
  const prefetch = usePrefetchDay()
  const { state } = useSession()
  const [older, newer] = [addDays(day, -1), addDays(day, 1)]
  const previous = useRef<HTMLAnchorElement>(null)
  const next = useRef<HTMLAnchorElement>(null)

  useLayoutEffect(() => {
    const stops = [onKeys('[', () => onChange(older)), onKeys(']', () => onChange(newer))]
    return () => stops.forEach((stop) => stop())
  }, [onChange, older, newer])
  // On today there is no next day, so the focus moves to the link beside it.
  const openNext = () => {
    if (newer === today && document.activeElement === next.current) previous.current?.focus()
    onChange(newer)
  }

  return (
    <header className="flex flex-wrap items-end justify-between gap-x-4 gap-y-1 border-b border-line pb-2 sm:pb-4">
      <div className="w-full min-w-0 sm:w-auto">
        <h1
          id={feedTitleId}
          tabIndex={-1}
          className="font-sans text-sm font-medium tracking-wide text-ink-soft outline-none max-sm:sr-only"
        >
          Feed
        </h1>
        <div className="flex items-center gap-1 max-sm:-mx-2">
          <IconLink
            ref={previous}
            href={pathInFeed(older, today)}
            label="Previous day"
            icon={ChevronLeft}
            onPress={() => onChange(older)}
            onPointerEnter={() => prefetch(older)}
            onFocus={() => prefetch(older)}
          />
          <p
            aria-live="polite"
            className="flex min-w-0 flex-1 flex-col text-center sm:order-first sm:me-2 sm:flex-row-reverse sm:items-baseline sm:gap-3 sm:text-start"
          >
            <span className="text-xs text-ink-soft empty:hidden sm:text-sm">
              {day >= addDays(today, -1) && dayLabel(day, today)}
            </span>
            <span className="font-serif text-lg leading-tight min-[360px]:text-xl sm:text-2xl lg:text-3xl">
              {dateLabel(day, today)}
            </span>
          </p>
          {day === today ? (
            <IconButton label="Next day" icon={ChevronRight} disabled />
          ) : (
            <IconLink
              ref={next}
              href={pathInFeed(newer, today)}
              label="Next day"
              icon={ChevronRight}
              onPress={openNext}
              onPointerEnter={() => prefetch(newer)}
              onFocus={() => prefetch(newer)}
            />
          )}
        </div>
      </div>
      <div className="flex w-full flex-wrap items-center gap-2 sm:ms-auto sm:w-auto">
        <DayPicker day={day} today={today} onPick={onChange} />
        {day !== today && (
          <Button
            variant="quiet"
            onClick={() => {
              onChange(today)
              // On today this button is not shown, so the focus moves to the button beside it.
              previous.current?.focus()
            }}
          >
            Today
          </Button>
        )}
        {state === 'registered' && (
          <Link
            href="/following"
            className="touch inline-flex items-center px-1 text-sm text-lamp sm:px-2 hover:underline"
          >
            Following
          </Link>
        )}
        <Button className="max-sm:ms-auto" onClick={onWrite}>
          <PenLine aria-hidden className="size-4" />
          Create Post
        </Button>
      </div>
    </header>
  )
}

/**
 * The date field of the browser, drawn as a button: a press opens its calendar. Keys show the field, and a date that is
 * typed is picked by Enter or when the focus leaves, so that its parts are not picked one by one.
 */
function DayPicker({ day, today, onPick }: { day: string; today: string; onPick: (day: string) => void }) {
  const field = useRef<HTMLInputElement>(null)
  const [isTyping, setIsTyping] = useState(false)
  // The field keeps its own value while somebody types a date, and follows the page otherwise.
  useEffect(() => {
    if (field.current) field.current.value = day
  }, [day])
  const pick = (value: string) => {
    if (value !== day && isInFeed(value, today)) onPick(value)
  }
  return (
    <span className="touch relative grid size-9 shrink-0 max-sm:-ms-2 place-items-center rounded-md text-ink-soft hover:bg-sunk hover:text-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-lamp">
      <CalendarDays aria-hidden className="size-5" />
      <input
        ref={field}
        type="date"
        aria-label="Choose a day"
        title="Choose a day"
        defaultValue={day}
        min={oldestDay(today)}
        max={today}
        onClick={(event) => {
          setIsTyping(false)
          event.currentTarget.showPicker?.()
        }}
        onChange={(event) => {
          if (!isTyping) pick(event.currentTarget.value)
        }}
        onKeyDown={(event) => {
          setIsTyping(true)
          if (event.key === 'Enter') pick(event.currentTarget.value)
        }}
        // The key that moves the focus here is released here.
        onKeyUp={() => setIsTyping(true)}
        onBlur={(event) => {
          if (isTyping) pick(event.currentTarget.value)
          setIsTyping(false)
        }}
        className={cx(
          'absolute inset-y-0 inset-s-0 cursor-pointer',
          isTyping ? 'z-10 w-40 rounded-md bg-surface px-2 text-ink' : 'w-full opacity-0',
        )}
      />
    </span>
  )
}
