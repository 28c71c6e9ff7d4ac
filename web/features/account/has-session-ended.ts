import { useQueryClient } from '@tanstack/react-query'
import { getMe } from '#contract/account/endpoints.ts'
import { queryKeyOf } from '#web/lib/api.ts'
import { isSessionRefused, useSession } from './session.tsx'

/** Whether this browser had a session that the server no longer accepts. False after signing out. */
export function useHasSessionEnded(): boolean {
  const { state } = useSession()
  const failure = useQueryClient().getQueryState(queryKeyOf(getMe))?.fetchFailureReason
  return state === 'none' && isSessionRefused(failure)
}
