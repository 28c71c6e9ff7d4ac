import { getSettings, type PersonSettings } from '#contract/account/settings/endpoints.ts'
import { useEndpoint } from '#web/lib/api.ts'
import { TitledCard } from '#web/ui/TitledCard.tsx'
import { NotReady } from '#web/ui/NotReady.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Switch } from '#web/ui/Switch.tsx'
import { useSettingsSwitch } from './use-settings-switch.ts'

/** Settings for what other people see of this person in rooms. */
export function Privacy() {
  const settings = useEndpoint(getSettings)
  return (
    <TitledCard title="Privacy" className="flex flex-col gap-4 p-6">
      <NotReady of={settings} what="These settings" waiting={<Skeleton className="h-28 w-full" />} />
      {settings.status === 'ready' && <Switches settings={settings.data} />}
    </TitledCard>
  )
}

function Switches({ settings }: { settings: PersonSettings }) {
  const change = useSettingsSwitch(settings)
  return (
    <>
      <Switch
        label="Show my name in Z!mmers"
        hint="Sign your passages with your name, in finished stories too."
        checked={settings.showName}
        onChange={(isOn) => change('showName', isOn)}
      />
      <Switch
        label="Show when I'm in a Z!mmer or writing"
        hint="When off, nobody sees that you're here or writing."
        checked={settings.presence}
        onChange={(isOn) => change('presence', isOn)}
      />
    </>
  )
}
