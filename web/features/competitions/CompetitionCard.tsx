import { useState } from 'react'
import { competitionOf, statusColors, type CompetitionStatus } from './competition.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { failedDialog, part } from '#web/ui/part.tsx'

export function CompetitionCard() {
  const { timeZone, submissionPortal } = useAppConfig()
  const [now] = useState(() => new Date())
  const [isOpen, setIsOpen] = useState(false)
  const competition = competitionOf(now, timeZone, submissionPortal)
  return (
    <Card as="section" aria-labelledby="competition-title">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="competition-title" className="text-lg font-semibold">
          {competition.title}
        </h2>
        <Badge tone={statusColors[competition.status]}>{statusWords[competition.status]}</Badge>
      </div>
      <p className="mt-2 font-serif">{competition.description}</p>
      <p className="mt-2 text-sm">{competition.prize}</p>
      <dl className="mt-3 grid grid-cols-2 gap-x-4 gap-y-2 text-sm sm:grid-cols-4">
        <Fact name="Deadline" value={dayFormat.format(new Date(`${competition.deadline}T00:00:00Z`))} />
        <Fact name="Category" value={competition.category} />
        <Fact name="Entry fee" value={`$${competition.entryFee}`} />
        <Fact name="Word limit" value={`${competition.wordLimit} words`} />
      </dl>
      <Button className="mt-4" onClick={() => setIsOpen(true)}>
        Enter the competition
      </Button>
      {isOpen && <EntryDialog competition={competition} onClose={() => setIsOpen(false)} />}
    </Card>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt className="text-xs text-ink-soft">{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

const statusWords: Record<CompetitionStatus, string> = {
  open: 'Open',
  'closing-soon': 'Closing soon',
  closed: 'Closed',
}
const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })
const EntryDialog = part(async () => (await import('./EntryDialog.tsx')).EntryDialog, failedDialog)
