import { useState } from 'react'
import { deleteOpenidLink, getOpenidLink, startOpenidLink } from '#contract/openid/endpoints.ts'
import { SignInAgainDialog, useSession } from '#web/features/account/index.ts'
import { codeOf, sentenceOf, useAction, useEndpoint } from '#web/lib/api.ts'
import { LongDate } from '#web/lib/Time.tsx'
import { useConfirm } from '#web/ui/alerts.tsx'
import { Button } from '#web/ui/Button.tsx'
import { NotReady, Outdated } from '#web/ui/NotReady.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { TitledCard } from '#web/ui/TitledCard.tsx'

/** Links the account with one at the OpenID Connect provider, and unlinks it. */
export function OpenidPart({ name }: { name: string }) {
  const link = useEndpoint(getOpenidLink, { staleTime: 0 })
  const { user } = useSession()
  const mayModerate = user?.isAdmin || user?.isModerator
  const linkedAt = link.data?.linkedAt
  return (
    <TitledCard title="Sign-in" className="flex flex-col gap-4 p-6">
      <NotReady of={link} what="Your sign-in" waiting={<Skeleton className="h-16 w-full" />} />
      <Outdated of={link} what="Your sign-in" />
      {linkedAt && (
        <>
          <p>
            Your account has been linked with <span dir="auto">{name}</span> since <LongDate at={linkedAt} />.{' '}
            {mayModerate ? byPasscodeAlone : 'You can sign in there, or with your passcode.'}
          </p>
          <Unlinking name={name} />
        </>
      )}
      {linkedAt === null && mayModerate && <p className="text-sm text-ink-soft">{byPasscodeAlone}</p>}
      {linkedAt === null && !mayModerate && (
        <>
          <p className="text-sm text-ink-soft">
            Link your account with <span dir="auto">{name}</span> to sign in there too. Your passcode stays,
            and your diary does not depend on the link.
          </p>
          <Linking name={name} />
        </>
      )}
    </TitledCard>
  )
}

const byPasscodeAlone = 'Admins and moderators sign in with their passcode alone.'

function Linking({ name }: { name: string }) {
  const start = useAction(startOpenidLink, { retries: false, failure: 'Failed to begin the link' })
  const [mustSignIn, setMustSignIn] = useState(false)
  const press = async () => {
    const attempt = await start.attempt({}, (error) => setMustSignIn(codeOf(error) === 'SignInAgainToLink'))
    if (attempt) location.assign(attempt.address)
  }
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button variant="quiet" busy={start.status === 'running'} onClick={() => void press()}>
        <span dir="auto">Link with {name}</span>
      </Button>
      <Failure of={mustSignIn ? null : start.error} />
      {mustSignIn && (
        <SignInAgainDialog onSignedIn={() => void press()} onClose={() => setMustSignIn(false)} />
      )}
    </div>
  )
}

function Unlinking({ name }: { name: string }) {
  const unlink = useAction(deleteOpenidLink, { refreshes: [getOpenidLink] })
  const confirm = useConfirm()
  const press = async () => {
    const text = `From now on you sign in with your passcode alone, and no more with ${name}.`
    if (await confirm({ text, verb: 'Unlink', danger: true })) await unlink.attempt()
  }
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button variant="quiet" busy={unlink.status === 'running'} onClick={() => void press()}>
        Unlink
      </Button>
      <Failure of={unlink.error} />
    </div>
  )
}

const Failure = ({ of: error }: { of: Error | null }) => (
  <p role="alert" className="text-sm font-medium text-bad empty:hidden">
    {error && sentenceOf(error, 'That did not work. Check the connection and try again.')}
  </p>
)
