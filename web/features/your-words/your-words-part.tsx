import { failedLine, part } from '#web/ui/part.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'

export const YourWords = part(
  async () => (await import('./YourWords.tsx')).YourWords,
  failedLine,
  () => <Skeleton className="h-60 w-full" />,
)
