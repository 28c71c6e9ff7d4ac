import { useId, useRef } from 'react'
import type { Acceptance } from '#contract/invitations/invitation.ts'
import { sentenceOf } from '#web/lib/api.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { QuietLine } from '#web/ui/QuietLine.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { useConfirm, useDecline, useWaitingPeople } from './api.ts'

/** The people who followed a link of the reader and wait for an answer. Nothing is shown while nobody waits. */
export function WaitingPeople() {
  const waiting = useWaitingPeople()
  const titleId = useId()
  const title = useRef<HTMLHeadingElement>(null)

  // The buttons of the person are gone.
  const moveFocus = () => {
    const target = waiting.data?.length === 1 ? document.getElementById('main') : title.current
    target?.focus()
  }
  if (waiting.status === 'failed')
    return <QuietLine text="Answers to your invitations could not be loaded." onTryAgain={waiting.refetch} />
  if (waiting.status === 'loading' || waiting.data.length === 0) return null
  return (
    <section
      aria-labelledby={titleId}
      className="flex flex-col gap-2 rounded-lg border border-line bg-surface p-4"
    >
      <h2 ref={title} id={titleId} tabIndex={-1} className="text-base font-semibold outline-none">
        Waiting for your answer
      </h2>
      <ul className="flex flex-col divide-y divide-line">
        {waiting.data.map((person) => (
          <WaitingPerson key={person.userId} person={person} onAnswered={moveFocus} />
        ))}
      </ul>
    </section>
  )
}

interface WaitingPersonProps {
  person: Acceptance
  onAnswered: () => void
}

function WaitingPerson({ person: { userId, name }, onAnswered }: WaitingPersonProps) {
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
  const add = async () =>
    finish(await confirming.attempt({ input: { userId } }, showFailure), `${name} is your friend now.`)
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
