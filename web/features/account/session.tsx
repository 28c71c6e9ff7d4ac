import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useSyncExternalStore } from 'react'
import { getMe } from '#contract/account/endpoints.ts'
import type { User } from '#contract/account/user.ts'
import { getConfig } from '#contract/app/endpoints.ts'
import { invitationPath } from '#contract/invitations/path.ts'
import { answersOf, queryKeyOf } from '#web/lib/api.ts'
import { userFreshMs } from '#web/lib/query-client.ts'
import { RequestError, send } from '#web/lib/request.ts'
import { hasSessionMark, readKey, removeKey, stopBrowsing, writeKey } from '#web/lib/session-keys.ts'
import { areKeysAwaited, followStorage, loadKeysOf, unmarkLoggedOut } from '#web/lib/storage.ts'
import { clearOnboarding } from './onboarding-flag.ts'

export type Session =
  | { state: 'unknown' | 'none'; user: null; isAdmin: false }
  | { state: 'guest' | 'registered'; user: User; isAdmin: boolean }

/** The delay between a failed or empty answer and the removal of the person from the page. */
const clearAfterMs = 100

/** Whether a session is to be expected before the server was asked. */
export const expectsSession = (): boolean => hasSessionMark() || readKey('userId') !== null

/** In the cache `null` means no session. Without a sign of a session it is set at once, and the server is not asked. */
const me = {
  queryKey: queryKeyOf(getMe),
  queryFn: fetchUser,
  initialData: () => (expectsSession() ? undefined : null),
  staleTime: (query: { state: { data: User | null | undefined } }) =>
    query.state.data === null ? Infinity : userFreshMs,
  meta: { failure: 'Failed to fetch user' },
  // The failure may be that of `preloadSession`, which has made all attempts.
  retryOnMount: false,
}

async function fetchUser({ client, signal }: { client: QueryClient; signal: AbortSignal }): Promise<User> {
  const user: User | null = await send(getMe, { signal })
  if (user === null) throw new RequestError(401, 'The answer is empty', { code: 'SignInRequired' })
  const before = client.getQueryData<User | null>(me.queryKey)
  if (before && before.id !== user.id) forgetAnswers(client)
  return user
}

const sameForAll = answersOf([getMe, getConfig])

/** Forgets what the person before could read, before the page shows another person. What is in sight is read again. */
const forgetAnswers = (client: QueryClient) =>
  void client.resetQueries({ predicate: (query) => !sameForAll.predicate(query) })

/** Requests the person of the session before a component needs it. */
export function preloadSession(client: QueryClient): Promise<void> {
  // The text of an article waits for the reading position in it.
  if (location.pathname.startsWith('/posts/')) loadKeys(expectedPerson())
  return client.prefetchQuery(me)
}

const Current = createContext<Session>({ state: 'unknown', user: null, isAdmin: false })

/** The person who uses the page; unknown until the server has answered. */
export const useSession = (): Session => useContext(Current)

/**
 * Whether the page is still reading the short texts that this browser keeps of the person. They are read beside the session,
 * and only what would show or replace one of them waits.
 */
export function useAreKeysAwaited(): boolean {
  const { state, user } = useSession()
  const getSnapshot = () => {
    const owner = state === 'unknown' ? expectedPerson() : state === 'registered' ? user.id : null
    return owner !== null && areKeysAwaited(owner)
  }
  return useSyncExternalStore(followStorage, getSnapshot, () => false)
}

/** The person with an account whom the server named last. A guest or visitor has the short texts in the local storage. */
const expectedPerson = () => (readKey('guestDeviceId') === null ? readKey('userId') : null)

const loadKeys = (owner: string | null) => void (owner !== null && loadKeysOf(owner))

/** Loads the person of the session, and keeps the stored id in sync with the answers of the server. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient()
  const { data: user, error } = useQuery(me)
  const session = useMemo(() => sessionOf(user), [user])

  useEffect(() => {
    const isKnown = client.getQueryData(me.queryKey)
    const isRefused = isSessionRefused(error)
    // Any other failure does not say who the person is: a known person stays.
    if (error === null || (isKnown && !isRefused)) return
    const timer = setTimeout(() => {
      if (isRefused) removeKey('userId')
      if (isKnown) forgetAnswers(client)
      client.setQueryData(me.queryKey, null)
    }, clearAfterMs)
    return () => clearTimeout(timer)
  }, [client, error])
  useEffect(() => {
    if (user === undefined) loadKeys(expectedPerson())
    else if (user && !user.isAnonymous) loadKeys(user.id)
  }, [user])
  useEffect(() => {
    if (!user) return
    // The log-out may have failed: the texts of a person with a session are kept.
    unmarkLoggedOut(user.id)
    writeKey('userId', user.id)
  }, [user])
  return <Current value={session}>{children}</Current>
}

/** Whether our server has answered that there is no session. A proxy that refuses a call gives no code. */
export const isSessionRefused = (failure: unknown): boolean =>
  failure instanceof RequestError && failure.code === 'SignInRequired'

function sessionOf(user: User | null | undefined): Session {
  if (!user) return { state: user === null ? 'none' : 'unknown', user: null, isAdmin: false }
  return { state: user.isAnonymous ? 'guest' : 'registered', user, isAdmin: user.isAdmin }
}

/** Removes what signing out forgets; the email stays for the next sign-in. */
export function forgetSession(): void {
  clearOnboarding()
  for (const key of ['userId', 'guestDeviceId', 'guestId'] as const) removeKey(key)
}

/** Leads to the sign-in: every 'Sign In', 'Login' and 'Sign Up' does this. An invitation stays in the address. */
export function openSignIn(): void {
  clearOnboarding()
  stopBrowsing()
  const { pathname, hash } = location
  location.assign(
    pathname === invitationPath ? `${invitationPath}?onboarding=true${hash}` : '/?onboarding=true',
  )
}
