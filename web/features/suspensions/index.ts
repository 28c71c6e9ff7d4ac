import { failedLine, part } from '#web/ui/part.tsx'

export { SuspendedUntil } from './SuspendedUntil.tsx'
export { useSuspend } from './use-suspend.tsx'

/** What a suspended person reads at sign-in. */
export const SuspendedNotice = part(
  async () => (await import('./SuspendedNotice.tsx')).SuspendedNotice,
  failedLine,
)
