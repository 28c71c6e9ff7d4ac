import { useSearch } from 'wouter'
import type { DiaryEntry } from '#contract/diary/entry.ts'
import type { ReadState } from '#web/lib/api.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { FailedState } from '#web/ui/FailedState.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useDiaryKeeper, useNewestDays } from './diary-days.ts'
import { ExportButton } from './ExportButton.tsx'
import { MonthJump } from './MonthJump.tsx'
import { DaysOfDeviceLine } from './DaysOfDeviceLine.tsx'
import { Paper } from './Paper.tsx'
import { SaveMonth } from './SaveMonth.tsx'

/** All saved days by date on yellow ruled paper. It opens at the day in the address, or at the newest day. */
export function PaperView({ days }: { days: ReadState<DiaryEntry[]> }) {
  const newest = useNewestDays(days.status === 'loading')
  const search = new URLSearchParams(useSearch())
  const day = search.get('day')
  const keeper = useDiaryKeeper()
  /** Whose query is marked in the entry of the day: that of the person who came from the search. */
  const searcher = search.has('found') ? keeper?.owner : undefined
  const entries = days.data ?? newest
  if (days.status === 'failed') {
    return (
      <FailedState
        text="Your diary could not be read."
        kept="What is saved is safe in your account."
        onTryAgain={days.refetch}
      />
    )
  }
  return (
    // Reaches beyond the end of the window, so that the row below a short diary sticks to that end too.
    <div className="flex min-h-[calc(100dvh-7rem-var(--bottom-bar,3rem))] flex-col gap-4 sm:gap-6 print:min-h-0">
      <DaysOfDeviceLine days={days} />
      {entries.length > 0 && <Paper entries={entries} day={day} searcher={searcher} />}
      {entries.length === 0 && days.status === 'ready' && <EmptyState text="No diary entries yet..." />}
      {entries.length === 0 && days.status === 'loading' && <Skeleton className="h-[60dvh] w-full" />}
      <div
        data-foot
        className="sticky bottom-(--foot) transition-[bottom] duration-200 ease-out z-10 mt-auto -mx-4 flex min-h-15 low:min-h-12 flex-wrap items-center justify-between gap-2 border-t border-line bg-paper px-4 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] sm:mx-0 sm:px-0 print:hidden"
      >
        {entries.length > 0 && <MonthJump entries={entries} day={day} />}
        {days.status === 'loading' ? (
          <p role="status" aria-label="Loading your diary" className="text-sm text-ink-soft">
            Loading your diary…
          </p>
        ) : (
          <div className="ms-auto flex items-center gap-2 sm:gap-3">
            {entries.length > 0 && <SaveMonth entries={entries} />}
            <ExportButton entries={entries} />
          </div>
        )}
      </div>
    </div>
  )
}
