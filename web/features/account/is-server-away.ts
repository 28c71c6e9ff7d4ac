import { useQueryClient } from '@tanstack/react-query'
import { getMe } from '#contract/account/endpoints.ts'
import { queryKeyOf } from '#web/lib/api.ts'
import { isSessionRefused, useSession } from './session.tsx'

/** Whether the page does not know who uses it, because the server could not be reached or could not answer. */
export function useIsServerAway(): boolean {
  const { state } = useSession()
  const failure = useQueryClient().getQueryState(queryKeyOf(getMe))?.fetchFailureReason
  return state === 'none' && failure instanceof Error && !isSessionRefused(failure)
}
