import { AwayNotificationsPart, tellingSentence } from '#web/features/away-notifications/index.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { TitledCard } from '#web/ui/TitledCard.tsx'
import { PushPart } from './PushPart.tsx'

/** How, of what and when the person is told while no page is open. */
export function Notifications() {
  const { sendsMail = false } = useAppConfig()
  return (
    <TitledCard title="Notifications" className="flex flex-col gap-6 p-6">
      <p className="-mt-2 text-sm text-ink-soft">{tellingSentence(sendsMail)}</p>
      <PushPart />
      <AwayNotificationsPart />
    </TitledCard>
  )
}
