import { useQueryClient } from '@tanstack/react-query'
import {
  changeAwayNotificationChoices,
  getAwayNotificationChoices,
} from '#contract/away-notifications/endpoints.ts'
import { queryKeyOf, useAction, useEndpoint } from '#web/lib/api.ts'
import { NotReady } from '#web/ui/NotReady.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { ChoicesForm } from './ChoicesForm.tsx'

/** What the person is told of while no page is open, in the settings. */
export function OwnAwayNotifications() {
  const client = useQueryClient()
  const choices = useEndpoint(getAwayNotificationChoices, { staleTime: 0 })
  const change = useAction(changeAwayNotificationChoices, {
    failure: 'Failed to change the choices about away notifications',
    onSuccess: (saved) => void client.setQueryData(queryKeyOf(getAwayNotificationChoices), saved),
  })
  return (
    <>
      <NotReady of={choices} what="Your choices" waiting={<Skeleton className="h-80 w-full" />} />
      {choices.status === 'ready' && (
        <ChoicesForm stored={choices.data} save={(changes) => change.attempt({ input: changes })} />
      )}
    </>
  )
}
