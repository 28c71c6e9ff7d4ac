import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { getMe } from '#contract/account/endpoints.ts'
import type { User } from '#contract/account/user.ts'
import { keyOf, queryOf } from '#web/lib/api.ts'
import { queryClient, userFreshMs } from '#web/lib/query-client.ts'
import {
  clearOnboarding,
  hasSessionMark,
  readKey,
  removeKey,
  stopBrowsing,
  writeKey,
} from '#web/lib/session-storage.ts'

export type Session = { refresh: () => void; isAdmin: boolean } & (
  { state: 'unknown' | 'none'; user: null } | { state: 'guest' | 'registered'; user: User }
)

/** A failed or empty answer clears the person so long after it came. */
const clearAfterMs = 100

/** Whether a session is to be expected before the server was asked. */
export const expectsSession = (): boolean => hasSessionMark() || readKey('userId') !== null

/** Who is using the page: unknown until the server has said it. */
export function useSession(): Session {
  const [isExpected, setIsExpected] = useState(expectsSession)
  const query = useQuery({ ...queryOf(getMe), enabled: isExpected, staleTime: userFreshMs })
  const isOver = query.status !== 'pending' && !query.data
  const user = query.data ?? null

  useEffect(() => {
    if (!isOver) return
    if (query.error) console.error('Failed to fetch user', query.error)
    const timer = setTimeout(() => {
      removeKey('userId')
      setIsExpected(false)
    }, clearAfterMs)
    return () => clearTimeout(timer)
  }, [isOver, query.error])
  useEffect(() => {
    if (user) writeKey('userId', user.id)
  }, [user])

  const refresh = () => {
    setIsExpected(true)
    void queryClient.invalidateQueries({ queryKey: keyOf(getMe) })
  }
  if (user) return { state: user.isAnonymous ? 'guest' : 'registered', user, isAdmin: user.isAdmin, refresh }
  return { state: isExpected ? 'unknown' : 'none', user: null, isAdmin: false, refresh }
}

/** Leads to the sign-in: every 'Sign In', 'Login' and 'Sign Up' does this. */
export function openSignIn(): void {
  clearOnboarding()
  stopBrowsing()
  location.assign('/?onboarding=true')
}
