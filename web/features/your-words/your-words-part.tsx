import { nearPart } from '#web/ui/near-part.tsx'
import { failedLine } from '#web/ui/part.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'

export const YourWords = nearPart(
  async () => (await import('./YourWords.tsx')).YourWords,
  failedLine,
  () => <Skeleton className="h-152 w-full" />,
)
