import { failedLine, part } from '#web/ui/part.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'

/** Only who compares two texts fetches the library for it. */
export const TextDifference = part(
  async () => (await import('./TextDifference.tsx')).TextDifference,
  failedLine,
  () => <Skeleton className="h-40 w-full" />,
)
