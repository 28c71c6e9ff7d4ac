import { ChevronDown, ChevronLeft, ChevronRight, LockKeyhole } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { addDays, isDay } from '#contract/days.ts'
import { diaryDate } from '#contract/diary/dates.ts'
import { useClock } from '#web/lib/interval.ts'
import { onKeys } from '#web/lib/keys.ts'
import { dayHere } from '#web/lib/today.ts'
import { Button } from '#web/ui/Button.tsx'
import { cx } from '#web/ui/cx.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { keepFocusOnPhone } from '#web/ui/keep-focus.ts'
import { failedDialog, part } from '#web/ui/part.tsx'
import { diaryPath } from './path.ts'
import { privacyLine } from './WritingView.tsx'

/** The date of the open day and the ways to other days. It stays while the day changes, and so does the focus in it. */
export function DayHeader({ day }: { day: string }) {
  const [, go] = useLocation()
  const [isChoosing, setIsChoosing] = useState(false)
  const date = useRef<HTMLButtonElement>(null)
  const today = useClock(dayHere)
  const isToday = day === today
  const [before, after] = [addDays(day, -1), addDays(day, 1)]

  useEffect(() => {
    const stops = [onKeys('[', () => go(diaryPath(before))), onKeys(']', () => go(diaryPath(after)))]
    return () => stops.forEach((stop) => stop())
  }, [go, before, after])

  const openToday = () => {
    go(diaryPath(today))
    // On today this button is not shown, so the focus moves to the date.
    date.current?.focus()
  }
  const choose = (chosen: string) => {
    setIsChoosing(false)
    go(diaryPath(chosen))
  }
  return (
    <div className="flex items-center gap-1 huge:flex-wrap">
      <h2 aria-live="polite" className="me-auto text-lg sm:text-xl">
        <button
          ref={date}
          id="diary-date"
          type="button"
          aria-haspopup="dialog"
          className="touch -mx-1.5 rounded-md px-1.5 text-start hover:bg-sunk"
          onMouseDown={keepFocusOnPhone}
          onClick={() => setIsChoosing(true)}
        >
          {diaryDate(day)}
          <ChevronDown aria-hidden className="ms-1 inline size-4 text-ink-soft" />
        </button>
      </h2>
      {!isToday && (
        <Button
          variant="quiet"
          className="shrink-0 max-sm:px-2"
          onMouseDown={keepFocusOnPhone}
          onClick={openToday}
        >
          Today
        </Button>
      )}
      {/* On a phone the row has room for one of the two. The sentence stands below the sheet as well. */}
      <IconButton
        label={privacyLine}
        icon={LockKeyhole}
        className={cx('phone-writing:hidden', !isToday && 'max-sm:hidden')}
      />
      <IconButton
        label="Previous day"
        icon={ChevronLeft}
        disabled={!isDay(before)}
        onMouseDown={keepFocusOnPhone}
        onClick={() => go(diaryPath(before))}
      />
      <IconButton
        label="Next day"
        icon={ChevronRight}
        disabled={!isDay(after)}
        onMouseDown={keepFocusOnPhone}
        onClick={() => go(diaryPath(after))}
      />
      {isChoosing && <DayDialog day={day} onChoose={choose} onClose={() => setIsChoosing(false)} />}
    </div>
  )
}

const DayDialog = part(async () => (await import('./DayDialog.tsx')).DayDialog, failedDialog)
