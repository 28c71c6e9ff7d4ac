import { waitingOf } from '#contract/feed/waiting.ts'
import { serverNow } from '#web/lib/server-clock.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Time } from '#web/lib/Time.tsx'

const hourMs = 3_600_000

/** How long a post waits, and whether its promised week is ending or over. */
export function Waiting({ since }: { since: string }) {
  const { ms, state } = waitingOf(since, serverNow())
  return (
    <>
      {state === 'soon' && <Badge tone="warn">Due within 2 days</Badge>}
      {state === 'overdue' && <Badge tone="bad">Past the promised week</Badge>}
      <span>
        Waits {spanOf(ms)}
        <span className="xl:sr-only">
          , since <Time at={since} />
        </span>
      </span>
    </>
  )
}

function spanOf(ms: number): string {
  const hours = Math.floor(ms / hourMs)
  if (hours < 1) return 'less than an hour'
  if (hours < 48) return hours === 1 ? '1 hour' : `${hours} hours`
  return `${Math.floor(hours / 24)} days`
}
