import { dayLabel } from '#contract/days.ts'
import { getLastFeedDay } from '#contract/feed/reading/endpoints.ts'
import { useSession } from '#web/features/account/index.ts'
import { useEndpoint } from '#web/lib/api.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { Button } from '#web/ui/Button.tsx'
import { LineDrawing, pageDrawing } from '#web/ui/LineDrawing.tsx'
import { DayLink } from './DayLink.tsx'
import { NewHouse } from './NewHouse.tsx'

interface EmptyDayProps {
  day: string
  today: string
  onOpen: (day: string) => void
  onWrite: () => void
}

/** A day without posts. It leads to the last day with posts before it, and to today when there is none. */
export function EmptyDay({ day, today, onOpen, onWrite }: EmptyDayProps) {
  const { hasPosts } = useAppConfig()
  const { isAdmin } = useSession()
  const last = useEndpoint(getLastFeedDay, { params: { day } }).data?.day
  const other = last === null && day !== today ? today : last
  return (
    <div className="flex flex-col items-center gap-4 py-12 text-center">
      <LineDrawing {...pageDrawing} />
      <p className="max-w-prose font-serif text-ink-soft">
        <span className="block text-xl text-ink">No posts for {dayLabel(day, today)}</span>
        Check another day or create the first post!
      </p>
      {isAdmin && !hasPosts && day === today ? (
        <NewHouse onWrite={onWrite} />
      ) : (
        <>
          {day === today && <Button onClick={onWrite}>Write the first post</Button>}
          {/* Its room is reserved until the day is known. */}
          <p className="min-h-11">
            {other && (
              <DayLink day={other} today={today} className="touch text-lamp underline" onOpen={onOpen}>
                {last ? `Last day with posts: ${dayLabel(last, today)}` : 'Go to today'}
              </DayLink>
            )}
          </p>
        </>
      )}
    </div>
  )
}
