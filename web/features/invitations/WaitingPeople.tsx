import { useId, useRef, useState } from 'react'
import { friendName } from '#contract/friends/friend.ts'
import type { Acceptance, ConfirmedFriend } from '#contract/invitations/invitation.ts'
import { sentenceOf } from '#web/lib/api.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { QuietLine } from '#web/ui/QuietLine.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { useConfirm, useDecline, useWaitingPeople } from './api.ts'

/** The people who followed a link of the reader and wait for an answer. Nothing is shown while nobody waits. */
export function WaitingPeople() {
  const waiting = useWaitingPeople()
  const titleId = useId()
  const title = useRef<HTMLHeadingElement>(null)
  const [newFriends, setNewFriends] = useState<ConfirmedFriend[]>([])

  // The buttons of the person are gone.
  const moveFocus = () => {
    const target = waiting.data?.length === 1 ? document.getElementById('main') : title.current
    target?.focus()
  }
  const welcome = (friend: ConfirmedFriend) => setNewFriends((known) => [friend, ...known])
  if (waiting.status === 'failed')
    return <QuietLine text="Answers to your invitations could not be loaded." onTryAgain={waiting.refetch} />
  if (waiting.status === 'loading') return null
  return (
    <>
      {newFriends.map((friend) => (
        <NewFriend key={friend.id} friend={friend} />
      ))}
      {waiting.data.length > 0 && (
        <section
          aria-labelledby={titleId}
          className="flex flex-col gap-2 rounded-lg border border-line bg-surface p-4"
        >
          <h2 ref={title} id={titleId} tabIndex={-1} className="text-base font-semibold outline-none">
            Waiting for your answer
          </h2>
          <ul className="flex flex-col divide-y divide-line">
            {waiting.data.map((person) => (
              <WaitingPerson key={person.userId} person={person} onAdded={welcome} onAnswered={moveFocus} />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

/** The next steps with a person whom the reader has just added. */
function NewFriend({ friend }: { friend: ConfirmedFriend }) {
  const name = friendName(friend)
  return (
    <section
      aria-label={`You and ${name} are friends`}
      className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4"
    >
      <p className="font-serif text-lg wrap-anywhere">
        You and <bdi>{name}</bdi> are friends
      </p>
      <div className="flex flex-wrap gap-2">
        <FirstSteps id={friend.id} name={name} roomId={friend.roomId} />
      </div>
    </section>
  )
}

interface WaitingPersonProps {
  person: Acceptance
  onAdded: (friend: ConfirmedFriend) => void
  onAnswered: () => void
}

function WaitingPerson({ person: { userId, name }, onAdded, onAnswered }: WaitingPersonProps) {
  const confirming = useConfirm()
  const declining = useDecline()
  const toast = useToast()

  const showFailure = (error: unknown) =>
    toast({
      title: sentenceOf(error, 'Your answer could not be sent. Check the connection and try again.'),
      tone: 'destructive',
    })
  const finish = (answer: object | undefined, title: string) => {
    if (!answer) return
    toast({ title: sentenceOf(answer, title) })
    onAnswered()
  }
  const add = async () => {
    const friend = await confirming.attempt({ input: { userId } }, showFailure)
    if (friend && 'id' in friend) onAdded(friend)
    finish(friend, `${name} is your friend now.`)
  }
  const decline = async () =>
    finish(
      await declining.attempt({ params: { userId } }, showFailure),
      `${name} is not added, and is not told.`,
    )
  return (
    <li className="flex flex-col gap-2 py-2.5">
      <div className="flex items-center gap-3">
        <Avatar name={name} />
        <p className="min-w-0 flex-1 text-sm wrap-anywhere">
          <span className="font-semibold">{name}</span> followed your invitation.
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button busy={confirming.status === 'running'} onClick={() => void add()}>
          Add as friend
          <span className="sr-only">{name}</span>
        </Button>
        <Button variant="quiet" busy={declining.status === 'running'} onClick={() => void decline()}>
          Not now
          <span className="sr-only">{name}</span>
        </Button>
      </div>
    </li>
  )
}
