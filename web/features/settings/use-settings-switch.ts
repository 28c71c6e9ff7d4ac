import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { changeSettings, getSettings, type PersonSettings } from '#contract/account/settings/endpoints.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { queryKeyOf, useAction } from '#web/lib/api.ts'
import { useToast } from '#web/ui/toasts.tsx'

type SwitchName = Exclude<keyof PersonSettings, 'introduction'>

/** Changes a switch of the settings at once, and back again when it cannot be stored. */
export function useSettingsSwitch(settings: PersonSettings, refreshes: readonly Endpoint[] = []) {
  const client = useQueryClient()
  const toast = useToast()
  const { attempt } = useAction(changeSettings, { refreshes, failure: 'Failed to change the settings' })
  const stored = useRef(settings)
  const inTurn = useRef<Promise<void>>(Promise.resolve())

  const put = (name: SwitchName, isOn: boolean) =>
    client.setQueryData<PersonSettings>(queryKeyOf(getSettings), (known = settings) => ({
      ...known,
      [name]: isOn,
    }))
  const save = async (name: SwitchName, isOn: boolean) => {
    const changed = await attempt({ input: { [name]: isOn } }, () => {
      put(name, stored.current[name])
      toast({ title: 'This setting could not be saved, so it has not changed.', tone: 'destructive' })
    })
    if (changed) stored.current = changed
  }
  // Sent one after the other: a retry of an earlier change must not overwrite a later one.
  return (name: SwitchName, isOn: boolean) => {
    put(name, isOn)
    inTurn.current = inTurn.current.then(() => save(name, isOn))
  }
}
