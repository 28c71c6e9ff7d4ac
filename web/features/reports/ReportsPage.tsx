import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { diaryDate } from '#contract/diary/dates.ts'
import type { DiaryEntry } from '#contract/diary/entry.ts'
import { memoryAgeDays, memorySnippet, memoryTreasure, recentActivity, recentPreview } from './choices.ts'
import type { CountedDay } from './counted-days.ts'
import { writingReport } from './report.ts'
import { SignInNotice, useSession } from '#web/features/account/index.ts'
import { diaryPath, DaysOfDeviceLine, useDiaryDays } from '#web/features/diary/index.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { firstWeekdayOf } from '#web/lib/locale.ts'
import { todayHere } from '#web/lib/today.ts'
import { Card } from '#web/ui/Card.tsx'
import { TitledCard } from '#web/ui/TitledCard.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { FailedState } from '#web/ui/FailedState.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useCountedDays } from './use-counted-days.ts'
import { HeatMap } from './HeatMap.tsx'
import { Streaks } from './Streaks.tsx'
import { WordsPerWeek } from './WordsPerWeek.tsx'

/** Numbers about the diary of a person. They are counted in the browser. */
export function ReportsPage() {
  usePageTitle('Writing Reports')
  const { state } = useSession()
  return (
    <section aria-labelledby="page-name" className="flex max-w-5xl flex-col gap-6">
      <h1 id="page-name" className="text-2xl">
        Writing Reports
      </h1>
      {state === 'none' && <SignInNotice text="Sign in to see your writing reports." />}
      {(state === 'guest' || state === 'registered') && <DiaryReport />}
    </section>
  )
}

function DiaryReport() {
  const diary = useDiaryDays()
  const counted = useCountedDays(diary.data)
  const { days } = counted
  const isWaiting = days === undefined || diary.data === undefined
  return (
    <>
      {diary.status === 'failed' && (
        <FailedState text="Your diary could not be loaded." onTryAgain={diary.refetch} />
      )}
      <DaysOfDeviceLine days={diary} />
      {counted.hasFailed && (
        <FailedState text="Your reports could not be counted." onTryAgain={counted.tryAgain} />
      )}
      {diary.status !== 'failed' && !counted.hasFailed && isWaiting && <Waiting />}
      {diary.data !== undefined && days !== undefined && <Report entries={diary.data} days={days} />}
    </>
  )
}

function Waiting() {
  return (
    <div aria-busy="true" className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
      {[1, 2, 3, 4].map((figure) => (
        <Skeleton key={figure} className="h-24 w-full" />
      ))}
      <Skeleton className="col-span-2 h-64 w-full lg:col-span-4" />
    </div>
  )
}

function Report({ entries, days }: { entries: DiaryEntry[]; days: readonly CountedDay[] }) {
  const today = todayHere()
  const report = writingReport(days, today, firstWeekdayOf(navigator.language))
  const texts = new Map(entries.map(({ entry_date, content }) => [entry_date, content]))
  const figures = [
    ['Total Entries', whole.format(report.entries)],
    ['Total Words', whole.format(report.words)],
    ['Current Streak', `${report.currentStreak} ${report.currentStreak === 1 ? 'day' : 'days'}`],
    ['Writing Frequency', `${report.frequencyPercent}%`],
  ]
  return (
    <>
      <dl className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
        {figures.map(([name, value]) => (
          <Card key={name} className="flex flex-col-reverse justify-end gap-1 max-sm:p-4">
            <dt className="text-sm text-ink-soft">{name}</dt>
            <dd className="font-serif text-2xl sm:text-3xl">{value}</dd>
          </Card>
        ))}
      </dl>
      {report.entries === 0 && (
        <EmptyState text="No diary entries yet. Your reports appear here once you write." />
      )}
      <div className="grid gap-4 lg:grid-cols-2">
        <HeatMap weeks={report.weeks} />
        <WordsPerWeek weeks={report.weeks} />
        <Streaks report={report} />
        <MemoryTreasure days={days} today={today} texts={texts} />
      </div>
      <RecentActivity days={days} texts={texts} />
    </>
  )
}

interface Texts {
  texts: ReadonlyMap<string, string>
}

function MemoryTreasure({ days, today, texts }: Texts & { days: readonly CountedDay[]; today: string }) {
  const [choice, setChoice] = useState(() => ({
    random: Math.random(),
    before: undefined as string | undefined,
  }))
  const treasure = memoryTreasure(days, today, choice.random, choice.before)
  return (
    <Card as="section" aria-labelledby="memory" className="flex flex-col gap-3">
      <header className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="memory" className="text-xl">
          Memory Treasure
        </h2>
        <IconButton
          label="Another memory"
          icon={RefreshCw}
          disabled={treasure === null}
          onClick={() => setChoice({ random: Math.random(), before: treasure?.day })}
        />
      </header>
      {treasure === null ? (
        <p className="text-ink-soft">Entries older than {memoryAgeDays} days appear here.</p>
      ) : (
        <div aria-live="polite" className="flex flex-col gap-2">
          <DayLink day={treasure.day} />
          <p dir="auto" className="font-serif whitespace-pre-wrap">
            {memorySnippet(texts.get(treasure.day) ?? '')}
          </p>
        </div>
      )}
    </Card>
  )
}

function RecentActivity({ days, texts }: Texts & { days: readonly CountedDay[] }) {
  const recent = recentActivity(days)
  return (
    <TitledCard title="Recent Writing Activity" className="flex flex-col gap-3">
      {recent.length === 0 && <p className="text-ink-soft">Your latest entries appear here.</p>}
      <ol className="flex flex-col divide-y divide-line">
        {recent.map(({ day, words }) => (
          <li key={day} className="flex flex-col gap-1 py-3">
            <span className="flex flex-wrap items-baseline justify-between gap-2">
              <DayLink day={day} />
              <span className="text-sm text-ink-soft">
                {whole.format(words)} {words === 1 ? 'word' : 'words'}
              </span>
            </span>
            <p dir="auto" className="font-serif whitespace-pre-wrap">
              {recentPreview(texts.get(day) ?? '')}
            </p>
          </li>
        ))}
      </ol>
    </TitledCard>
  )
}

const DayLink = ({ day }: { day: string }) => (
  <Link href={diaryPath(day)} className="touch text-sm text-lamp underline underline-offset-4">
    {diaryDate(day)}
  </Link>
)

const whole = new Intl.NumberFormat('en')
