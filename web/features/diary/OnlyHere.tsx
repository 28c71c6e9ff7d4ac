import type { DiaryEntry } from '#contract/diary/entry.ts'
import type { Loaded } from '#web/lib/api.ts'
import { QuietLine } from '#web/ui/QuietLine.tsx'

/** A notice when the shown days are those of this browser, because the server could not be read. */
export function OnlyHere({ days }: { days: Loaded<DiaryEntry[]> }) {
  if (days.status !== 'ready' || !days.refetchError) return null
  return (
    <QuietLine
      text="Your diary could not be read from the server. This is what this device keeps."
      onTryAgain={days.refetch}
    />
  )
}
