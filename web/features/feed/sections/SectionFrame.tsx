import { useId, type ReactNode } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { VisuallyHidden } from '#web/ui/VisuallyHidden.tsx'

interface SectionFrameProps {
  title: string
  onShowAll?: () => void
  /** A row of cards; left out while it is loading. */
  children?: ReactNode
}

/** Heading and place of one row, of the same size whatever it holds. */
export function SectionFrame({ title, onShowAll, children }: SectionFrameProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <div className="flex min-h-11 items-center justify-between gap-4">
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
        <Button variant="link" disabled={!onShowAll} onClick={onShowAll}>
          Show all
          <VisuallyHidden>of {title}</VisuallyHidden>
        </Button>
      </div>
      <div className="h-64">{children ?? <Skeleton className="mt-2 h-48" />}</div>
    </section>
  )
}

const cardClass =
  'flex h-48 flex-col overflow-hidden rounded-lg border border-line bg-surface text-left text-ink'

/** A card in a row, whose height the frame reserves beside the row's two buttons. */
export const rowCardClass = `${cardClass} w-60`

/** A card in a show-all dialog. */
export const gridCardClass = `${cardClass} w-full`
