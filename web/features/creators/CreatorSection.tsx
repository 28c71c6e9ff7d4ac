import { Crown } from 'lucide-react'
import { useId, useState } from 'react'
import type { Creator } from '#contract/creators/creator.ts'
import { Button } from '#web/ui/Button.tsx'
import { ScrollingRow } from '#web/ui/ScrollingRow.tsx'
import { failedDialog, part } from '#web/ui/part.tsx'
import { CreatorCard } from './CreatorCard.tsx'

interface CreatorSectionProps {
  title: string
  isRoyal: boolean
  creators: readonly Creator[]
  onOpen: (creator: Creator) => void
}

/** A row of cards. Its height is fixed, so that the browser skips the section while it is off the screen. */
export function CreatorSection({ title, isRoyal, creators, onOpen }: CreatorSectionProps) {
  const id = useId()
  const [showsAll, setShowsAll] = useState(false)
  return (
    <section
      aria-labelledby={id}
      className="-mx-2 h-[32.25rem] px-2 [content-visibility:auto] pointer-coarse:h-[32.75rem]"
    >
      <div className="flex h-11 items-center justify-between gap-4">
        <h2 id={id} className="flex items-center gap-2 text-lg font-semibold">
          {isRoyal && <Crown aria-hidden className="size-5 text-koenig" />}
          {title}
        </h2>
        <Button variant="link" onClick={() => setShowsAll(true)}>
          View All
          <span className="sr-only">of {title}</span>
        </Button>
      </div>
      {creators.length === 0 ? (
        <p className="py-2 font-serif text-ink-soft">{empty}</p>
      ) : (
        <ScrollingRow label={title}>
          {creators.map((creator) => (
            <CreatorCard key={creator.id} creator={creator} className="w-72" onOpen={onOpen} />
          ))}
        </ScrollingRow>
      )}
      {showsAll && (
        <CardsDialog title={title} empty={empty} onClose={() => setShowsAll(false)}>
          {creators.map((creator) => (
            <CreatorCard key={creator.id} creator={creator} className="w-full" onOpen={onOpen} />
          ))}
        </CardsDialog>
      )}
    </section>
  )
}

const empty = 'No creators are in this section.'

const CardsDialog = part(async () => (await import('#web/ui/CardsDialog.tsx')).CardsDialog, failedDialog)
