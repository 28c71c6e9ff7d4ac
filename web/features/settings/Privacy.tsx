import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { changeSettings, getSettings, type PersonSettings } from '#contract/account/settings.ts'
import { keyOf, useAction, useEndpoint } from '#web/lib/api.ts'
import { Card } from '#web/ui/Card.tsx'
import { FailedState } from '#web/ui/FailedState.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Switch } from '#web/ui/Switch.tsx'
import { useToast } from '#web/ui/toasts.tsx'

/** What others see of a person in rooms. */
export function Privacy() {
  const settings = useEndpoint(getSettings)
  return (
    <Card as="section" aria-labelledby="privacy" className="flex flex-col gap-4 p-6">
      <h2 id="privacy" className="text-xl">
        Privacy
      </h2>
      {settings.status === 'loading' && <Skeleton className="h-28 w-full" />}
      {settings.status === 'failed' && (
        <FailedState text="These settings could not be loaded." onTryAgain={settings.refetch} />
      )}
      {settings.status === 'ready' && <Switches settings={settings.data} />}
    </Card>
  )
}

function Switches({ settings }: { settings: PersonSettings }) {
  const client = useQueryClient()
  const toast = useToast()
  const { run } = useAction(changeSettings)
  const stored = useRef(settings)
  const inTurn = useRef<Promise<void>>(Promise.resolve())

  const put = (name: keyof PersonSettings, isOn: boolean) =>
    client.setQueryData<PersonSettings>(keyOf(getSettings), (known = settings) => ({
      ...known,
      [name]: isOn,
    }))
  const save = async (name: keyof PersonSettings, isOn: boolean) => {
    try {
      stored.current = await run({ input: { [name]: isOn } })
    } catch (error) {
      console.error('Failed to change the settings', error)
      put(name, stored.current[name])
      toast({ title: 'This setting could not be saved. It is as it was.', tone: 'destructive' })
    }
  }
  // One after the other: a change that is tried again must not overtake what was chosen after it.
  const change = (name: keyof PersonSettings, isOn: boolean) => {
    put(name, isOn)
    inTurn.current = inTurn.current.then(() => save(name, isOn))
  }
  return (
    <>
      <Switch
        label="Show my name in Z!mmers"
        hint="Your passages carry your name instead of 'User' and your id, also in finished stories."
        checked={settings.showName}
        onChange={(isOn) => change('showName', isOn)}
      />
      <Switch
        label="Show when I am in a Z!mmer or writing"
        hint="Else you are not counted among those who are there, and nobody sees that you write."
        checked={settings.presence}
        onChange={(isOn) => change('presence', isOn)}
      />
    </>
  )
}
