import { Link, useSearch } from 'wouter'
import { isDay } from '#contract/days.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { todayHere } from '#web/lib/today.ts'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { ViewSwitch } from '#web/ui/ViewSwitch.tsx'
import { useDiaryDays, useDiaryKeeper } from './diary-days.ts'
import { GuestDays } from './GuestDays.tsx'
import { PaperView } from './PaperView.tsx'
import { WritingView } from './WritingView.tsx'

const writing = { name: 'My Diary', href: '/diary' }
const paper = { name: 'Paper', href: '/diary?view=paper' }

/** The diary, to write in and to leaf through; its address says which view and which day. */
export function DiaryPage() {
  usePageTitle('Diary')
  const search = new URLSearchParams(useSearch())
  const isPaper = search.get('view') === 'paper'
  const asked = search.get('day') ?? ''
  const day = isDay(asked) ? asked : todayHere()
  const keeper = useDiaryKeeper()
  const days = useDiaryDays()
  return (
    <section aria-labelledby="page-name" className="mx-auto flex max-w-4xl flex-col gap-6">
      <header className="flex flex-wrap items-center justify-between gap-4">
        <h1 id="page-name" className="text-2xl">
          My Diary
        </h1>
        <ViewSwitch views={[writing, paper]} current={(isPaper ? paper : writing).href} link={Link} />
      </header>
      {keeper?.keeps === 'account' && <GuestDays key={keeper.owner} personId={keeper.owner} />}
      {isPaper && <PaperView days={days} />}
      {!isPaper && !keeper && <Skeleton className="h-96 w-full" />}
      {!isPaper && keeper && <WritingView key={`${keeper.owner} ${day}`} keeper={keeper} day={day} />}
    </section>
  )
}
