import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { OwnSuspension } from '#contract/account/suspensions/endpoints.ts'
import { finishOpenidAttempt } from '#contract/openid/endpoints.ts'
import { openidPath } from '#contract/openid/path.ts'
import { openSignIn, removeReturns, storedReturn, useSession } from '#web/features/account/index.ts'
import { completeEntry, openDashboard } from '#web/features/onboarding/index.ts'
import { SuspendedNotice } from '#web/features/suspensions/index.ts'
import { codeOf, sentenceOf } from '#web/lib/api.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { usePageTitle } from '#web/lib/page-title.ts'
import { type RequestError, send } from '#web/lib/request.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { LinkSheet } from '#web/ui/LinkSheet.tsx'
import { NewAccount } from './NewAccount.tsx'

/** An answer is good once. */
const once = {
  retry: false,
  retryOnMount: false,
  staleTime: Infinity,
  refetchOnReconnect: false,
  refetchOnWindowFocus: false,
  meta: { failure: 'Login failed' },
}

/** The page to which the OpenID Connect provider sends people back. It gives the answer to the server, once. */
export function OpenidPage() {
  usePageTitle('Sign-in')
  const { openidName = 'the other site' } = useAppConfig()
  const [answer] = useState(() => location.search)
  const { data: outcome, error } = useQuery({
    queryKey: ['the answer of the provider', answer],
    queryFn: () => send(finishOpenidAttempt, { input: { answer } }),
    ...once,
  })
  useEffect(() => {
    // The answer leaves the address, and with it the history.
    history.replaceState(history.state, '', openidPath)
  }, [])
  useEffect(() => {
    if (outcome === undefined && error === null) return
    const user = outcome?.outcome === 'signed-in' ? outcome.user : undefined
    const address = user && storedReturn(user.id).read()
    // Also when nobody is signed in: the page that was left is not for a later sign-in.
    removeReturns()
    if (user === undefined) return
    completeEntry(user)
    if (address) location.replace(address)
    else openDashboard()
  }, [outcome, error])

  if (error !== null) return <Refused error={error} />
  if (outcome?.outcome === 'new') return <NewAccount {...outcome} providerName={openidName} />
  if (outcome?.outcome === 'linked')
    return (
      <LinkSheet title="Your account is linked" isNews action={<ToSettings />}>
        From now on you can also sign in with <span dir="auto">{openidName}</span>.
      </LinkSheet>
    )
  return (
    <p role="status" className="text-ink-soft">
      Signing you in …
    </p>
  )
}

function Refused({ error }: { error: Error }) {
  const { state } = useSession()
  const isLinking = state === 'registered'
  if (codeOf(error) === 'Suspended')
    return (
      <LinkSheet
        title="You are not signed in"
        isNews
        action={<SuspendedNotice suspension={(error as RequestError).current as OwnSuspension} />}
      >
        You can come back when the suspension has ended.
      </LinkSheet>
    )
  return (
    <LinkSheet
      title={isLinking ? 'Nothing was changed' : 'You are not signed in'}
      isNews
      action={isLinking ? <ToSettings /> : <Button onClick={openSignIn}>To the sign-in</Button>}
    >
      {sentenceOf(error, 'The answer could not be sent. Check the connection and start again.')}
    </LinkSheet>
  )
}

const ToSettings = () => (
  <Link href="/settings" className={buttonClass('quiet')}>
    To the settings
  </Link>
)
