import { memo, startTransition, useEffect, useState } from 'react'
import { paperDate } from '#contract/diary/dates.ts'
import type { DiaryEntry } from '#contract/diary/entry.ts'
import type { Loaded } from '#web/lib/api.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { FailedState } from '#web/ui/FailedState.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useDiaryBeginning } from './diary-days.ts'
import { ExportButton } from './ExportButton.tsx'
import { OnlyHere } from './OnlyHere.tsx'

/** All saved days, in their order, on yellow ruled paper. */
export function PaperView({ days }: { days: Loaded<DiaryEntry[]> }) {
  const beginning = useDiaryBeginning()
  const entries = days.data ?? beginning
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
    <>
      <OnlyHere days={days} />
      {entries.length > 0 && <Paper entries={entries} />}
      {days.status === 'loading' ? (
        <div role="status" aria-label="Loading your diary">
          <Skeleton className="h-[60dvh] w-full" />
        </div>
      ) : (
        <>
          {entries.length === 0 && <EmptyState text="No diary entries yet..." />}
          <ExportButton entries={entries} />
        </>
      )}
    </>
  )
}

const firstPart = 40
const nextPart = 200

/** Grows part by part, so that years of entries never hold the page up. */
function Paper({ entries }: { entries: DiaryEntry[] }) {
  const [shown, setShown] = useState(firstPart)

  useEffect(() => {
    if (shown >= entries.length) return
    const timer = setTimeout(() => startTransition(() => setShown((count) => count + nextPart)))
    return () => clearTimeout(timer)
  }, [shown, entries.length])

  return (
    <div className="paper">
      {parts(entries.slice(0, shown)).map((part) => (
        <PartOfPaper key={part[0]!.entry_date} entries={part} />
      ))}
    </div>
  )
}

function parts(entries: DiaryEntry[]) {
  const all = [entries.slice(0, firstPart)]
  for (let from = firstPart; from < entries.length; from += nextPart)
    all.push(entries.slice(from, from + nextPart))
  return all
}

function Entries({ entries }: { entries: DiaryEntry[] }) {
  return entries.map(({ entry_date, content }) => (
    <article
      key={entry_date}
      className="paper-entry"
      style={{ containIntrinsicBlockSize: heightOf(content) }}
    >
      <h2>{paperDate(entry_date)}</h2>
      <p>{content}</p>
    </article>
  ))
}

/** Drawn again only when one of its entries has changed. */
const PartOfPaper = memo(
  Entries,
  (before, after) =>
    before.entries.length === after.entries.length &&
    before.entries.every((entry, i) => entry === after.entries[i]),
)

const charactersInLine = 68

/** Roughly, for the scroll bar while an entry is out of sight: lines of text, the date and the space below. */
function heightOf(content: string) {
  return `auto ${Math.ceil(content.length / charactersInLine) + 3}lh`
}
