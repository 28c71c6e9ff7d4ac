import { failedLine, part } from '#web/ui/part.tsx'

export { endOf, type SuspensionChoices } from './end-choice.ts'
export { SuspendedUntil } from './SuspendedUntil.tsx'
export { SuspensionFields } from './SuspensionFields.tsx'
export { useSuspend } from './use-suspend.tsx'

/** What a suspended person reads at sign-in. */
export const SuspendedNotice = part(
  async () => (await import('./SuspendedNotice.tsx')).SuspendedNotice,
  failedLine,
)
