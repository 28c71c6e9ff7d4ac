import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { getMe } from '#contract/account/endpoints.ts'
import type { User } from '#contract/account/user.ts'
import { keyOf } from '#web/lib/api.ts'
import { userFreshMs } from '#web/lib/query-client.ts'
import { RequestError, send } from '#web/lib/request.ts'
import {
  clearOnboarding,
  hasSessionMark,
  readKey,
  removeKey,
  stopBrowsing,
  writeKey,
} from '#web/lib/session-storage.ts'

export type Session =
  | { state: 'unknown' | 'none'; user: null; isAdmin: false }
  | { state: 'guest' | 'registered'; user: User; isAdmin: boolean }

/** A failed or empty answer clears the person so long after it came. */
const clearAfterMs = 100

/** Whether a session is to be expected before the server was asked. */
export const expectsSession = (): boolean => hasSessionMark() || readKey('userId') !== null

/** In the cache `null` is nobody: known at once where no session is expected, and not asked for again. */
const me = {
  queryKey: keyOf(getMe),
  queryFn: fetchUser,
  initialData: () => (expectsSession() ? undefined : null),
  staleTime: (query: { state: { data: User | null | undefined } }) =>
    query.state.data === null ? Infinity : userFreshMs,
  meta: { failure: 'Failed to fetch user' },
}

async function fetchUser({ signal }: { signal: AbortSignal }): Promise<User | null> {
  const user: User | null = await send(getMe, { signal })
  if (user === null) throw new RequestError(401, 'The answer is empty', null)
  return user
}

/** Who is using the page: unknown until the server has said it. */
export function useSession(): Session {
  const { data: user } = useQuery(me)
  if (!user) return { state: user === null ? 'none' : 'unknown', user: null, isAdmin: false }
  return { state: user.isAnonymous ? 'guest' : 'registered', user, isAdmin: user.isAdmin }
}

/** Keeps what this browser remembers of the session in step with the server's word; once in a page. */
export function useSessionUpkeep(): void {
  const client = useQueryClient()
  const { data: user, error } = useQuery(me)

  useEffect(() => {
    if (error === null) return
    const timer = setTimeout(() => {
      removeKey('userId')
      client.setQueryData(me.queryKey, null)
    }, clearAfterMs)
    return () => clearTimeout(timer)
  }, [client, error])
  useEffect(() => {
    if (user) writeKey('userId', user.id)
  }, [user])
}

/** Leads to the sign-in: every 'Sign In', 'Login' and 'Sign Up' does this. */
export function openSignIn(): void {
  clearOnboarding()
  stopBrowsing()
  location.assign('/?onboarding=true')
}
