import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import type { FollowedInvitation } from '#contract/invitations/invitation.ts'
import { roomPath } from '#contract/rooms/paths.ts'
import { openSignIn, useSession } from '#web/features/account/index.ts'
import { sentenceOf } from '#web/lib/api.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { Drawing, type DrawingOf } from '#web/ui/Drawing.tsx'
import { FailedState } from '#web/ui/FailedState.tsx'
import { Skeletons } from '#web/ui/Skeletons.tsx'
import { useAcceptInvitation, useFollowedInvitation } from './api.ts'
import { FirstSteps } from './FirstSteps.tsx'
import { goodUntil } from './good-until.ts'
import { useToken } from '#web/lib/address-token.ts'

/** The page behind an invitation link: who invites, and the question to the person who has followed the link. */
export function InvitationPage() {
  usePageTitle('Invitation')
  const token = useToken()
  const { state } = useSession()
  const followed = useFollowedInvitation(token)

  if (followed.status === 'failed') return <Unavailable onTryAgain={followed.refetch} />
  if (followed.status === 'loading' || state === 'unknown') return <Waiting />
  if (followed.data === null) return <Over isRegistered={state === 'registered'} />
  if (state !== 'registered') return <ForStranger invitation={followed.data} />
  return <ForPerson token={token} invitation={followed.data} />
}

function ForStranger({ invitation: { inviterName, expiresAt } }: { invitation: FollowedInvitation }) {
  return (
    <Sheet
      drawing="door"
      title={
        <>
          <bdi>{inviterName}</bdi> invites you
        </>
      }
      foot={goodUntil(expiresAt)}
      actions={<Button onClick={openSignIn}>Sign up or sign in</Button>}
    >
      Z!mmer is a quiet place for people who write. Here you read what others write each day, keep a diary,
      and write stories together. Sign up or sign in, and you are asked whether you want to be friends.
    </Sheet>
  )
}

function ForPerson({ token, invitation }: { token: string; invitation: FollowedInvitation }) {
  const { inviterName, relation, friendId, roomId, expiresAt } = invitation
  const accepting = useAcceptInvitation(token)
  const [, navigate] = useLocation()
  const name = <bdi>{inviterName}</bdi>
  // A friend becomes a member of a private room by accepting the link.
  const enter = async () => {
    if (roomId !== null && (await accepting.attempt({ input: { token } }))) navigate(roomPath(roomId))
  }
  const failure =
    accepting.error &&
    sentenceOf(accepting.error, 'Your answer could not be sent. Check the connection and try again.')
  const messages = (label: string) => (
    <Link href="/messages" className={buttonClass('quiet')}>
      {label}
    </Link>
  )

  const readAlong = roomId !== null && (
    <Link href={roomPath(roomId)} className={buttonClass('quiet')}>
      Read along
    </Link>
  )

  if (relation === 'own')
    return (
      <Sheet
        drawing="letter"
        title="This is your invitation"
        foot={goodUntil(expiresAt)}
        actions={messages('Messages')}
      >
        Send the link to somebody you would like to have as a friend. You are asked when they have followed
        it.
      </Sheet>
    )
  if (relation === 'friend')
    return (
      <Sheet
        drawing="letter"
        title={<>You and {name} are friends</>}
        error={failure}
        actions={
          friendId === null ? (
            messages('Messages')
          ) : (
            <FirstSteps id={friendId} name={inviterName} roomId={roomId} onEnter={() => void enter()} />
          )
        }
      >
        {roomId === null
          ? 'You find your conversation among your messages.'
          : `${inviterName} has invited you to write a story together.`}
      </Sheet>
    )
  if (relation === 'asked')
    return (
      <Sheet
        drawing="letter"
        title={<>{name} is asked now</>}
        actions={
          <>
            {readAlong}
            {messages('Messages')}
          </>
        }
        isNews
      >
        You are friends as soon as {name} says yes too.{' '}
        {roomId === null ? (
          <>Then you find {name} among your messages.</>
        ) : (
          'The link then leads you into a room.'
        )}
      </Sheet>
    )
  return (
    <Sheet
      drawing="door"
      title={<>{name} invites you</>}
      foot={goodUntil(expiresAt)}
      error={failure}
      actions={
        <>
          <Button
            busy={accepting.status === 'running'}
            onClick={() => void accepting.attempt({ input: { token } })}
          >
            Add as friend
          </Button>
          {readAlong}
          {messages('Not now')}
        </>
      }
    >
      Do you want to be friends? If you say yes, {name} is asked too. Friends can write to each other, and
      invite each other to private rooms.
      {roomId !== null && ' The link also leads into a room that everybody can read.'}
    </Sheet>
  )
}

const Over = ({ isRegistered }: { isRegistered: boolean }) => (
  <Sheet
    drawing="door"
    title="This invitation is no longer open"
    actions={
      isRegistered ? (
        <Link href="/messages" className={buttonClass('quiet')}>
          Find friends
        </Link>
      ) : (
        <Button variant="quiet" onClick={openSignIn}>
          Sign up or sign in
        </Button>
      )
    }
  >
    A link is good for seven days, and can be withdrawn. Ask the person who sent it for a new one
    {isRegistered ? ', or search for their name.' : '.'}
  </Sheet>
)

const Unavailable = ({ onTryAgain }: { onTryAgain: () => void }) => (
  <>
    <h1 className="sr-only">Invitation</h1>
    <FailedState text="The invitation could not be loaded." onTryAgain={onTryAgain} />
  </>
)

const Waiting = () => (
  <Skeletons label="Loading the invitation" count={1} each="h-96 w-full" className="w-full max-w-xl" />
)

interface SheetProps {
  drawing: DrawingOf
  title: ReactNode
  children: ReactNode
  actions: ReactNode
  foot?: string
  error?: string | null
  /** It takes the place of a question that was answered: the focus goes to the title. */
  isNews?: boolean
}

function Sheet({ drawing, title, children, actions, foot, error, isNews = false }: SheetProps) {
  return (
    <div className="flex w-full max-w-xl flex-col items-start gap-5">
      <Drawing of={drawing} />
      <h1
        ref={isNews ? focus : undefined}
        tabIndex={-1}
        className="text-2xl text-balance wrap-anywhere outline-none"
      >
        {title}
      </h1>
      <p className="max-w-prose font-serif text-lg text-balance text-ink-soft wrap-anywhere">{children}</p>
      <p role="alert" className="text-sm font-medium text-bad empty:hidden">
        {error}
      </p>
      <div className="flex flex-wrap gap-3">{actions}</div>
      {foot && <p className="text-sm text-ink-soft">{foot}</p>}
    </div>
  )
}

const focus = (element: HTMLElement | null) => element?.focus()
