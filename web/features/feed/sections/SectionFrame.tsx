import { useId, type ReactNode } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'

interface SectionFrameProps {
  title: string
  onShowAll?: () => void
  /** Shown in place of the cards when there are none. */
  empty?: string | false
  /** A row of cards; left out while it is loading. */
  children?: ReactNode
}

/** A row with its heading. It has the same size before and after the cards are loaded. */
export function SectionFrame({ title, onShowAll, empty = false, children }: SectionFrameProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <div className="flex min-h-11 items-center justify-between gap-4">
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
        <Button variant="link" disabled={!onShowAll} onClick={onShowAll}>
          Show all
          <span className="sr-only">of {title}</span>
        </Button>
      </div>
      {empty === false ? (
        <div className="flow-root h-64">{children ?? <Skeleton className="mt-2 h-48" />}</div>
      ) : (
        <p className="py-2 font-serif text-ink-soft">{empty}</p>
      )}
    </section>
  )
}

/** The section of the competition: its empty frame has the height of its text. */
export const competitionClass = 'mx-auto min-h-[27rem] w-full max-w-3xl sm:min-h-80 md:min-h-64'

const cardClass =
  'flex h-48 flex-col overflow-hidden rounded-lg border border-line bg-surface text-start text-ink'

/** A card in a row. The frame reserves its height before it is loaded. */
export const rowCardClass = `${cardClass} w-60`

/** A card in a show-all dialog. */
export const gridCardClass = `${cardClass} w-full`
