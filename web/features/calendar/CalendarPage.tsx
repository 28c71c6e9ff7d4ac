import { useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { isDay } from '#contract/days.ts'
import { notePath, DaysOfDeviceLine, OnThisDay, useDiaryDays } from '#web/features/diary/index.ts'
import { MonthGrid, monthOf } from '#web/features/months/index.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { todayHere } from '#web/lib/today.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { QuietLine } from '#web/ui/QuietLine.tsx'
import { DailyNotes } from './DailyNotes.tsx'
import { useNotes } from './notes.ts'

/** A note for each day, beside the diary entry of that day. The address has the selected day. */
export function CalendarPage() {
  usePageTitle('Calendar')
  const today = todayHere()
  const asked = new URLSearchParams(useSearch()).get('day') ?? ''
  const selected = isDay(asked) ? asked : null
  const [, go] = useLocation()
  const [turnedTo, setTurnedTo] = useState(() => monthOf(today))
  const month = selected === null ? turnedTo : monthOf(selected)
  const notes = useNotes()
  const diary = useDiaryDays()
  const diaryTexts = new Map((diary.data ?? []).map(({ entry_date, content }) => [entry_date, content]))

  const turnTo = (next: string) => {
    setTurnedTo(next)
    if (selected !== null) go('/calendar', { replace: true })
  }
  return (
    <section aria-labelledby="page-name" className="flex max-w-5xl flex-col gap-6">
      <h1 id="page-name" className="text-2xl">
        Calendar
      </h1>
      {notes?.byDay.status === 'failed' && (
        <QuietLine text="Your notes could not be loaded." onTryAgain={notes.byDay.refetch} />
      )}
      {diary.status === 'failed' && (
        <QuietLine text="Your diary could not be loaded." onTryAgain={diary.refetch} />
      )}
      <DaysOfDeviceLine days={diary} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[3fr_2fr]">
        <MonthGrid
          month={month}
          today={today}
          selected={selected}
          locale={navigator.language}
          marksOf={(day) => ({ note: notes?.byDay.data?.has(day) ?? false, diary: diaryTexts.has(day) })}
          onMonth={turnTo}
          onSelect={(day) => go(notePath(day), { replace: true })}
        />
        {selected === null || notes === undefined ? (
          <EmptyState text="Select a day to add notes and view diary entries" />
        ) : (
          <DailyNotes
            key={`${notes.owner} ${selected}`}
            day={selected}
            notes={notes}
            diaryText={diaryTexts.get(selected)}
          />
        )}
      </div>
      <OnThisDay day={selected ?? today} />
    </section>
  )
}
