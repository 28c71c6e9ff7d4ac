import type { User } from '#contract/account/user.ts'
import { TitledCard } from '#web/ui/TitledCard.tsx'
import { DeviceKeeps } from './DeviceKeeps.tsx'
import { Export } from './Export.tsx'
import { Import } from './Import.tsx'

/** What a person can do with all their texts at once. */
export function YourWords({ user }: { user: User }) {
  return (
    <TitledCard title="Your words" className="flex flex-col gap-6 p-6">
      <Export by={{ user }} />
      <Import personId={user.id} />
      <DeviceKeeps personId={user.id} />
    </TitledCard>
  )
}
