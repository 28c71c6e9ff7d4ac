import { Search } from 'lucide-react'
import { Link, useLocation, useSearch } from 'wouter'
import { isDay } from '#contract/days.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { IconLink } from '#web/ui/IconButton.tsx'
import { cx } from '#web/ui/cx.ts'
import { failedLine, part } from '#web/ui/part.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { usePreloadLater } from '#web/ui/use-preload-later.ts'
import { ViewSwitch } from '#web/ui/ViewSwitch.tsx'
import { DayHeader } from './DayHeader.tsx'
import { useDiaryDays, useDiaryKeeper, useIsFirstTextAnswered } from './diary-days.ts'
import { GuestDays } from './GuestDays.tsx'
import { OnThisDay } from './OnThisDay.tsx'
import { searchPath } from './path.ts'
import { SearchField } from './SearchField.tsx'
import { useDiaryQuery } from './search/query.ts'
import { useOpenedDay } from './use-opened-day.ts'
import { WritingView } from './WritingView.tsx'

const writing = { name: 'My Diary', href: '/diary' }
const paper = { name: 'Paper', href: '/diary?view=paper' }

/** The diary, with a view to write, one to read and a search. The address has the view and the day. */
export function DiaryPage() {
  usePageTitle('Diary')
  const query = useSearch()
  const search = new URLSearchParams(query)
  const isPaper = search.get('view') === 'paper'
  const isSearching = search.get('view') === 'search'
  const asked = search.get('day') ?? ''
  const openedDay = useOpenedDay(query)
  const day = isDay(asked) ? asked : openedDay
  const keeper = useDiaryKeeper()
  const [, go] = useLocation()
  const isFirstTextAnswered = useIsFirstTextAnswered(isPaper ? 'newest' : { day })
  const days = useDiaryDays(isFirstTextAnswered || isSearching)
  usePreloadLater(PaperView.preload)
  return (
    <div className="@container">
      <section aria-labelledby="page-name" className="sheet-column relative flex flex-col gap-4 sm:gap-6">
        <header className="phone-writing:hidden flex flex-wrap items-center justify-between gap-4">
          <h1 id="page-name" className="text-2xl">
            My Diary
          </h1>
          {!isSearching && (
            <span className={cx('ms-auto', !isPaper && 'sm:hidden')}>
              <IconLink
                href={searchPath}
                label="Search your diary"
                icon={Search}
                onPress={() => go(searchPath)}
              />
            </span>
          )}
          {/* Beside the paper, where nobody types, an icon leads to the field: with a field the browser loses the place in the paper. */}
          {keeper && !isPaper && <SearchField owner={keeper.owner} isSearching={isSearching} />}
          <ViewSwitch
            views={[writing, paper]}
            current={isSearching ? searchPath : (isPaper ? paper : writing).href}
            link={Link}
          />
        </header>
        {keeper?.keeps === 'account' && <GuestDays key={keeper.owner} personId={keeper.owner} />}
        {isPaper && <PaperView days={days} />}
        {isSearching && keeper && <Results owner={keeper.owner} />}
        {!isPaper && !keeper && <Skeleton className="h-96 w-full" />}
        {!isPaper && !isSearching && keeper && (
          <>
            <DayHeader day={day} />
            <WritingView key={`${keeper.owner} ${day}`} keeper={keeper} day={day} />
            <OnThisDay day={day} isWanted={isFirstTextAnswered} isInMargin />
          </>
        )}
      </section>
    </div>
  )
}

const PaperView = part(
  async () => (await import('./PaperView.tsx')).PaperView,
  failedLine,
  () => <Skeleton className="h-[60dvh] w-full" />,
)

const Results = ({ owner }: { owner: string }) => <FoundDays owner={owner} query={useDiaryQuery(owner)} />

const FoundDays = part(
  async () => {
    // A found day opens on the paper, also when the network is gone meanwhile. The search does not wait for it.
    void PaperView.preload().catch(() => {})
    return (await import('./search/FoundDays.tsx')).FoundDays
  },
  failedLine,
  () => <Skeleton className="h-60 w-full" />,
)
