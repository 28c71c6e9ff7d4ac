import type { DiaryEntry } from '#contract/diary/entry.ts'
import type { ReadState } from '#web/lib/api.ts'
import { QuietLine } from '#web/ui/QuietLine.tsx'

/** Says that the shown days are those of this device, when the server could not be read. */
export function DaysOfDeviceLine({ days }: { days: ReadState<DiaryEntry[]> }) {
  if (days.status !== 'ready' || !days.refetchError) return null
  return (
    <QuietLine
      text="Your diary could not be read from the server. This is what this device keeps."
      onTryAgain={days.refetch}
    />
  )
}
