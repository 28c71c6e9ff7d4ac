import { failedLine, part } from '#web/ui/part.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'

export const NoticesPart = part(
  async () => (await import('./OwnNotices.tsx')).OwnNotices,
  failedLine,
  () => <Skeleton className="h-96 w-full" />,
)
