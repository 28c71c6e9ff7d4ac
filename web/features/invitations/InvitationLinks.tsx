import { Link } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import type { Invitation, NewInvitation } from '#contract/invitations/invitation.ts'
import { invitationLink } from '#contract/invitations/path.ts'
import { sentenceOf } from '#web/lib/api.ts'
import { timeOfDay } from '#web/lib/locale.ts'
import { Button } from '#web/ui/Button.tsx'
import { CopyLink } from '#web/ui/CopyLink.tsx'
import { QuietLine } from '#web/ui/QuietLine.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { useCreateInvitation, useInvitations, useWithdrawInvitation } from './api.ts'
import { goodUntil } from './good-until.ts'

interface InvitationLinksProps {
  /** The room into which new links lead. */
  roomId?: string
}

/** Makes invitation links, and lists those that are open. A link is shown once: only its hash is stored. */
export function InvitationLinks({ roomId }: InvitationLinksProps) {
  const titleId = useId()
  const title = useRef<HTMLHeadingElement>(null)
  const invitations = useInvitations()
  const creating = useCreateInvitation()
  const [shown, setShown] = useState<NewInvitation | null>(null)
  const others = invitations.data?.filter(({ id }) => id !== shown?.id) ?? []

  const create = async () => {
    const invitation = await creating.attempt({ input: { roomId } })
    if (invitation) setShown(invitation)
  }
  const forget = (id: string) => {
    if (id === shown?.id) setShown(null)
    invitations.refetch()
    // The button that had the focus is gone.
    title.current?.focus()
  }
  return (
    <section aria-labelledby={titleId} className="flex flex-col gap-3">
      <div>
        <h2 ref={title} id={titleId} tabIndex={-1} className="text-base font-semibold outline-none">
          Invite by link
        </h2>
        <p className="text-sm text-ink-soft">
          Whoever opens the link can ask to become your friend, and you say yes or no.
          {roomId !== undefined && ' A friend whom you have added this way comes into this room.'} A link is
          good for seven days.
        </p>
      </div>
      {shown !== null && <NewLink key={shown.id} invitation={shown} onWithdrawn={forget} />}
      <Button
        variant="quiet"
        className="self-start"
        busy={creating.status === 'running'}
        onClick={() => void create()}
      >
        <Link aria-hidden className="size-4" />
        {shown === null ? 'Make a link' : 'Make another link'}
      </Button>
      <p role="alert" className="text-sm font-medium text-bad empty:hidden">
        {creating.error &&
          sentenceOf(creating.error, 'The link could not be made. Check the connection and try again.')}
      </p>
      {invitations.status === 'failed' && (
        <QuietLine text="Your open links could not be loaded." onTryAgain={invitations.refetch} />
      )}
      {others.length > 0 && (
        <ul aria-label="Your open links" className="flex flex-col divide-y divide-line">
          {others.map((invitation) => (
            <li key={invitation.id} className="py-1">
              <OpenLink invitation={invitation} onWithdrawn={forget} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

interface OpenLinkProps {
  invitation: Invitation
  onWithdrawn: (id: string) => void
}

function NewLink({ invitation, onWithdrawn }: OpenLinkProps & { invitation: NewInvitation }) {
  return (
    <div className="flex flex-col gap-2 rounded-lg border border-line bg-sunk p-3">
      <CopyLink label="Your link" link={invitationLink(location.origin, invitation.token)} />
      <OpenLink invitation={invitation} onWithdrawn={onWithdrawn} />
    </div>
  )
}

function OpenLink({ invitation: { id, createdAt, expiresAt }, onWithdrawn }: OpenLinkProps) {
  const withdrawing = useWithdrawInvitation()
  const toast = useToast()
  const made = timeOfDay(createdAt, { month: 'short', day: 'numeric' })

  const withdraw = async () => {
    const withdrawn = await withdrawing.attempt({ params: { id } }, () =>
      toast({ title: 'The link could not be withdrawn. Please try again.', tone: 'destructive' }),
    )
    if (!withdrawn) return
    toast({ title: 'The link is withdrawn.' })
    onWithdrawn(id)
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3">
      <p className="min-w-40 flex-1 text-sm">
        {goodUntil(expiresAt)}
        <span className="block text-xs text-ink-soft">Made {made}</span>
      </p>
      <Button
        variant="link"
        className="text-sm"
        busy={withdrawing.status === 'running'}
        onClick={() => void withdraw()}
      >
        Withdraw
        <span className="sr-only">the link made {made}</span>
      </Button>
    </div>
  )
}
