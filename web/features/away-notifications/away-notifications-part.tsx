import { failedLine, part } from '#web/ui/part.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'

export const AwayNotificationsPart = part(
  async () => (await import('./OwnAwayNotifications.tsx')).OwnAwayNotifications,
  failedLine,
  () => <Skeleton className="h-96 w-full" />,
)
