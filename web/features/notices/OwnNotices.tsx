import { useQueryClient } from '@tanstack/react-query'
import { changeNoticeChoices, getNoticeChoices } from '#contract/notices/endpoints.ts'
import { queryKeyOf, useAction, useEndpoint } from '#web/lib/api.ts'
import { NotReady } from '#web/ui/NotReady.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { TitledCard } from '#web/ui/TitledCard.tsx'
import { ChoicesForm } from './ChoicesForm.tsx'

/** What the person is told of while no page is open, in the settings. */
export function OwnNotices() {
  const client = useQueryClient()
  const choices = useEndpoint(getNoticeChoices, { staleTime: 0 })
  const change = useAction(changeNoticeChoices, {
    failure: 'Failed to change the notices',
    onSuccess: (saved) => void client.setQueryData(queryKeyOf(getNoticeChoices), saved),
  })
  return (
    <TitledCard title="Notices" className="flex flex-col gap-4 p-6">
      <NotReady of={choices} what="Your notices" waiting={<Skeleton className="h-80 w-full" />} />
      {choices.status === 'ready' && (
        <ChoicesForm stored={choices.data} save={(changes) => change.attempt({ input: changes })} />
      )}
    </TitledCard>
  )
}
