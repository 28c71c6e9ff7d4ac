import { getInstanceSettings } from '#contract/instance/endpoints.ts'
import { useEndpoint } from '#web/lib/api.ts'
import { NotReady } from '#web/ui/NotReady.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { AccessSettings } from './AccessSettings.tsx'
import { RegistrationLinks } from './RegistrationLinks.tsx'
import { RegistrationQueue } from './RegistrationQueue.tsx'

/** For admins: who waits for an account, how people sign up, and what nobody can do without an account. */
export function SignUps() {
  const settings = useEndpoint(getInstanceSettings, { staleTime: 0 })
  return (
    <div className="flex max-w-reading flex-col gap-6">
      <RegistrationQueue />
      <NotReady of={settings} what="The settings" waiting={<Skeleton className="h-96" />} />
      {settings.data && <AccessSettings stored={settings.data} onOutdated={settings.refetch} />}
      <RegistrationLinks isNeeded={settings.data?.registration === 'invitation'} />
    </div>
  )
}
