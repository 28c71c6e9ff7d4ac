import { Link, useSearch } from 'wouter'
import { isDay } from '#contract/days.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { todayHere } from '#web/lib/today.ts'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { ViewSwitch } from '#web/ui/ViewSwitch.tsx'
import { DayHeader } from './DayHeader.tsx'
import { useDiaryDays, useDiaryKeeper, useIsFirstTextAnswered } from './diary-days.ts'
import { GuestDays } from './GuestDays.tsx'
import { OnThisDay } from './OnThisDay.tsx'
import { PaperView } from './PaperView.tsx'
import { WritingView } from './WritingView.tsx'

const writing = { name: 'My Diary', href: '/diary' }
const paper = { name: 'Paper', href: '/diary?view=paper' }

/** The diary, with a view to write and a view to read. The address has the view and the day. */
export function DiaryPage() {
  usePageTitle('Diary')
  const search = new URLSearchParams(useSearch())
  const isPaper = search.get('view') === 'paper'
  const asked = search.get('day') ?? ''
  const day = isDay(asked) ? asked : todayHere()
  const keeper = useDiaryKeeper()
  const isFirstTextAnswered = useIsFirstTextAnswered(isPaper ? 'newest' : { day })
  const days = useDiaryDays(isFirstTextAnswered)
  return (
    <section aria-labelledby="page-name" className="sheet-column flex flex-col gap-4 sm:gap-6">
      <header className="phone-writing:hidden flex flex-wrap items-center justify-between gap-4">
        <h1 id="page-name" className="text-2xl">
          My Diary
        </h1>
        <ViewSwitch views={[writing, paper]} current={(isPaper ? paper : writing).href} link={Link} />
      </header>
      {keeper?.keeps === 'account' && <GuestDays key={keeper.owner} personId={keeper.owner} />}
      {isPaper && <PaperView days={days} />}
      {!isPaper && !keeper && <Skeleton className="h-96 w-full" />}
      {!isPaper && keeper && (
        <>
          <DayHeader day={day} />
          <WritingView key={`${keeper.owner} ${day}`} keeper={keeper} day={day} />
          <OnThisDay day={day} isWanted={isFirstTextAnswered} />
        </>
      )}
    </section>
  )
}
