import { type ReactNode, useState } from 'react'
import { getOwnEmail, type OwnEmail, requestConfirmation } from '#contract/mails/endpoints.ts'
import { sentenceOf, useAction, useEndpoint } from '#web/lib/api.ts'
import { OwnTime } from '#web/lib/Time.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { NotReady, Outdated } from '#web/ui/NotReady.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { TitledCard } from '#web/ui/TitledCard.tsx'

/** The email address of the person, and the button that mails a link to confirm it. */
export function EmailPart() {
  const email = useEndpoint(getOwnEmail, { staleTime: 0 })
  return (
    <TitledCard title="Email" className="flex flex-col gap-4 p-6">
      <NotReady of={email} what="Your email address" waiting={<Skeleton className="h-16 w-full" />} />
      {email.status === 'ready' && (
        <>
          <Outdated of={email} what="Your email address" />
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="font-medium wrap-anywhere">{email.data.address}</span>
            {email.data.bounce !== undefined ? (
              <Badge tone="bad">Mails came back</Badge>
            ) : email.data.isConfirmed ? (
              <Badge tone="good">Confirmed</Badge>
            ) : (
              <Badge tone="warn">Not confirmed</Badge>
            )}
          </p>
          {email.data.isConfirmed && email.data.bounce === undefined ? (
            <p className="text-sm text-ink-soft">
              When you forget your passcode, you get a link to this address.
            </p>
          ) : (
            <Confirming reason={reasonOf(email.data)} />
          )}
        </>
      )}
    </TitledCard>
  )
}

function reasonOf({ bounce }: OwnEmail): ReactNode {
  if (bounce === undefined)
    return 'Confirm that the mailbox is yours. Until then we send nothing else to it, and when you forget your passcode, only an admin can make a link for you.'
  return (
    <>
      {bounce.kind === 'permanent'
        ? 'Mails to this address came back on '
        : 'A mail to this address was reported as unwanted on '}
      <OwnTime at={bounce.at} />, so we send no notices to it. Confirm the address again to get them.
    </>
  )
}

function Confirming({ reason }: { reason: ReactNode }) {
  const request = useAction(requestConfirmation, { failure: 'Failed to ask for a confirmation' })
  const [isSent, setIsSent] = useState(false)
  const ask = async () => {
    if (await request.attempt()) setIsSent(true)
  }
  return (
    <>
      <p className="text-sm text-ink-soft">{reason}</p>
      <div className="flex flex-wrap items-center gap-3">
        <Button variant="quiet" busy={request.status === 'running'} onClick={() => void ask()}>
          {isSent ? 'Send another link' : 'Send a link to confirm'}
        </Button>
        <p role="status" className="text-sm text-ink-soft empty:hidden">
          {request.error !== null
            ? sentenceOf(request.error, 'That could not be sent. Check the connection and try again.')
            : isSent && 'A link is on its way. It is good for seven days.'}
        </p>
      </div>
    </>
  )
}
