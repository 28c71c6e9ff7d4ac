import { useState } from 'react'
import { deletePushDevice, getPushDevice, type PushDevice, savePushDevice } from '#contract/push/endpoints.ts'
import { sentenceOf, useAction, useEndpoint } from '#web/lib/api.ts'
import { NotReady } from '#web/ui/NotReady.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Switch } from '#web/ui/Switch.tsx'
import { TitledGroup } from '#web/ui/TitledGroup.tsx'
import {
  areNotificationsPermitted,
  pushSupport,
  subscribeToPushes,
  unsubscribeFromPushes,
} from './push-subscription.ts'

/** Notifications on this device while no page is open. */
export function PushPart() {
  // The answer of the person to the browser changes it.
  const [support, setSupport] = useState(pushSupport)
  return (
    <TitledGroup title="On this device">
      {support === 'yes' ? (
        <OwnDevice onAsked={() => setSupport(pushSupport())} />
      ) : (
        <p className="text-sm text-ink-soft">{sentences[support]}</p>
      )}
    </TitledGroup>
  )
}

const sentences = {
  no: 'This browser cannot notify you while Z!mmer is closed.',
  'home-screen':
    'To be notified on this device, add Z!mmer to the home screen: press Share, then “Add to Home Screen”. Open it from there and come back to this setting.',
  blocked:
    'This browser blocks notifications of Z!mmer. Allow them in the settings of the browser for this site, then load this page again.',
}

function OwnDevice({ onAsked }: { onAsked: () => void }) {
  const device = useEndpoint(getPushDevice, { staleTime: 0 })
  if (device.status === 'ready') return <PushSwitch device={device.data} onAsked={onAsked} />
  return <NotReady of={device} what="This setting" waiting={<Skeleton className="h-14 w-full" />} />
}

function PushSwitch({ device, onAsked }: { device: PushDevice; onAsked: () => void }) {
  const save = useAction(savePushDevice, { refreshes: [getPushDevice], failure: 'Failed to add the device' })
  const remove = useAction(deletePushDevice, {
    refreshes: [getPushDevice],
    failure: 'Failed to remove the device',
  })
  /** What the person has chosen while it is being done. */
  const [chosen, setChosen] = useState<boolean | null>(null)
  const [failure, setFailure] = useState('')

  const turnOn = async () => {
    const permission = await Notification.requestPermission()
    onAsked()
    if (permission !== 'granted') return setFailure('The browser has not allowed notifications.')
    const input = await subscribeToPushes(device.publicKey).catch((error: unknown) => {
      console.error('Failed to subscribe at the push service', error)
    })
    if (input === undefined)
      return setFailure('This browser did not reach its push service. Try again in a moment.')
    await save.attempt({ input }, async (error) => {
      setFailure(sentenceOf(error as Error, notSaved))
      await unsubscribeFromPushes()
    })
  }
  const turnOff = async () => {
    const removed = await remove.attempt({}, (error) => setFailure(sentenceOf(error as Error, notSaved)))
    // The server sends nothing more, whatever the browser does.
    if (removed) await unsubscribeFromPushes().catch(() => {})
  }
  const change = async (isOn: boolean) => {
    if (chosen !== null) return
    setFailure('')
    setChosen(isOn)
    await (isOn ? turnOn() : turnOff())
    setChosen(null)
  }

  return (
    <>
      <Switch
        label="Notify me on this device"
        hint="Also while Z!mmer is closed. A notification says what has happened, never what somebody wrote. Logging out ends it."
        checked={chosen ?? (device.endpoint !== null && areNotificationsPermitted())}
        onChange={(isOn) => void change(isOn)}
      />
      <p role="status" className="text-sm text-ink-soft empty:hidden">
        {failure}
      </p>
    </>
  )
}

const notSaved = 'This setting could not be saved. Check the connection and try again.'
