import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type ComponentProps, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { addDays, isDay } from '#contract/days.ts'
import { diaryDate } from '#contract/diary/dates.ts'
import { firstWeekdayOf } from '#web/lib/locale.ts'
import { cx } from '#web/ui/cx.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { monthName, monthOf, nextMonth, previousMonth, weekdayName, weeksOf } from './month.ts'

interface MonthGridProps {
  month: string
  today: string
  selected: string | null
  /** The reader's locale decides the first day of the week; months and weekdays have English names. */
  locale: string
  /** The marks of a day. Where no day has a `note`, the legend names none. */
  marksOf: (day: string) => { note?: boolean; diary: boolean }
  onMonth: (month: string) => void
  onSelect: (day: string) => void
}

/** The days of a month. Arrow keys move between days; Page Up and Page Down change the month. */
export function MonthGrid({ month, today, selected, locale, marksOf, onMonth, onSelect }: MonthGridProps) {
  const [focused, setFocused] = useState<string | null>(null)
  const grid = useRef<HTMLTableElement>(null)
  const reachable = [focused, selected, today].find((day) => day !== null && monthOf(day) === month) ?? month
  const weeks = weeksOf(month, firstWeekdayOf(locale))

  useEffect(() => {
    if (focused) grid.current?.querySelector<HTMLElement>(`[data-day="${focused}"]`)?.focus()
  }, [focused])

  const move = (event: KeyboardEvent, day: string) => {
    const to = targetOf(event.key, day)
    if (to === undefined || !isDay(to)) return
    event.preventDefault()
    if (monthOf(to) !== month) onMonth(monthOf(to))
    setFocused(to)
  }
  return (
    <div className="flex flex-col gap-4">
      <div className="flex items-center justify-between gap-2 huge:flex-wrap">
        <IconButton
          label="Previous month"
          icon={ChevronLeft}
          disabled={!isDay(previousMonth(month))}
          onClick={() => onMonth(previousMonth(month))}
        />
        <h2 id="month" aria-live="polite" className="text-xl huge:order-first huge:basis-full">
          {monthName(month)}
        </h2>
        <IconButton
          label="Next month"
          icon={ChevronRight}
          disabled={!isDay(nextMonth(month))}
          onClick={() => onMonth(nextMonth(month))}
        />
      </div>
      <table
        ref={grid}
        aria-labelledby="month"
        // The table has its gap of 4 px at its edges too; the margin keeps the days in line with the heading. On the
        // narrowest screens seven days of 44 px leave no room for gaps and need a part of the page's margins.
        className="-mx-1 w-[calc(100%+0.5rem)] table-fixed border-separate border-spacing-1 huge:border-spacing-0 max-[344px]:-mx-2.5 max-[344px]:w-[calc(100%+1.25rem)] max-[344px]:border-spacing-0"
      >
        <thead>
          <tr>
            {weeks[0]!.map((day) => (
              <th key={day} scope="col" className="pb-1 text-xs font-medium text-ink-soft huge:text-[4vw]">
                {weekdayName(day)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day}>
                  {monthOf(day) === month && (
                    <DayButton
                      day={day}
                      marks={marksOf(day)}
                      isToday={day === today}
                      isSelected={day === selected}
                      isReachable={day === reachable}
                      onFocus={() => setFocused(day)}
                      onKeyDown={(event) => move(event, day)}
                      onClick={() => onSelect(day)}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <ul aria-label="Legend" className="flex flex-wrap gap-x-5 gap-y-1 text-xs text-ink-soft">
        {marksOf(month).note !== undefined && (
          <li className="flex items-center gap-1.5">
            <span aria-hidden className={cx(dotClass, 'bg-lamp')} />
            Note
          </li>
        )}
        <li className="flex items-center gap-1.5">
          <span aria-hidden className={cx(diaryDotClass, 'border-koenig')} />
          Diary entry
        </li>
        <li className="flex items-center gap-1.5">
          <span aria-hidden className="font-semibold text-lamp underline underline-offset-2">
            {Number(today.slice(8))}
          </span>
          Today
        </li>
      </ul>
    </div>
  )
}

// The two dots differ in form too, for people who cannot tell their colours apart.
const dotClass = 'size-1.5 rounded-full'
const diaryDotClass = 'size-1.5 border-[1.5px]'

function targetOf(key: string, day: string): string | undefined {
  const days = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }[key]
  if (days !== undefined) return addDays(day, days)
  if (key === 'Home') return monthOf(day)
  if (key === 'End') return addDays(nextMonth(monthOf(day)), -1)
  if (key === 'PageUp') return previousMonth(monthOf(day))
  if (key === 'PageDown') return nextMonth(monthOf(day))
  return undefined
}

interface DayButtonProps extends ComponentProps<'button'> {
  day: string
  marks: { note?: boolean; diary: boolean }
  isToday: boolean
  isSelected: boolean
  isReachable: boolean
}

function DayButton({ day, marks, isToday, isSelected, isReachable, ...rest }: DayButtonProps) {
  const has = [marks.note && 'has a note', marks.diary && 'has a diary entry'].filter(Boolean)
  return (
    <button
      {...rest}
      type="button"
      data-day={day}
      aria-label={[diaryDate(day), ...has].join(', ')}
      aria-current={isToday ? 'date' : undefined}
      aria-pressed={isSelected}
      tabIndex={isReachable ? 0 : -1}
      className={cx(
        'touch flex aspect-square max-h-20 w-full flex-col items-center justify-center gap-1 rounded-md border text-sm transition-colors duration-150 ease-out',
        isSelected ? 'border-lamp bg-lamp text-on-lamp' : 'border-line bg-surface hover:bg-sunk',
        isToday && !isSelected && 'border-lamp font-semibold text-lamp',
      )}
    >
      <span className={cx(isToday && 'underline underline-offset-2')}>{Number(day.slice(8))}</span>
      <span aria-hidden className="flex h-1.5 gap-1">
        {marks.note && <span className={cx(dotClass, isSelected ? 'bg-on-lamp' : 'bg-lamp')} />}
        {marks.diary && (
          <span className={cx(diaryDotClass, isSelected ? 'border-on-lamp' : 'border-koenig')} />
        )}
      </span>
    </button>
  )
}
