import { Monitor, Smartphone } from 'lucide-react'
import { useRef, useState } from 'react'
import {
  endOtherSessions,
  endSession,
  listSessions,
  type OwnSession,
} from '#contract/account/sessions/endpoints.ts'
import { SignInAgainDialog } from '#web/features/account/index.ts'
import { codeOf, sentenceOf, useAction, useEndpoint } from '#web/lib/api.ts'
import { OwnTime } from '#web/lib/Time.tsx'
import { useConfirm } from '#web/ui/alerts.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { NotReady, Outdated } from '#web/ui/NotReady.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useToast } from '#web/ui/toasts.tsx'

/** The browsers in which the person is signed in. The server ends a session only for somebody who has just signed in. */
export function Sessions() {
  const sessions = useEndpoint(listSessions, { staleTime: 0 })
  const heading = useRef<HTMLHeadingElement>(null)
  const toast = useToast()
  const confirm = useConfirm()
  const [afterSignIn, setAfterSignIn] = useState<{ end: () => Promise<void> } | null>(null)
  const endingOne = useAction(endSession, { refreshes: [listSessions], doneBy: 'SessionNotFound' })
  const endingOthers = useAction(endOtherSessions, { refreshes: [listSessions] })
  const current = sessions.data?.find(({ isCurrent }) => isCurrent)
  const others = sessions.data?.filter(({ isCurrent }) => !isCurrent) ?? []

  const end = async (ending: () => Promise<unknown>, done: string) => {
    try {
      await ending()
    } catch (error) {
      if (codeOf(error) === 'SignInAgainToEndSessions') setAfterSignIn({ end: () => end(ending, done) })
      else
        toast({ title: sentenceOf(error, 'That could not be ended. Please try again.'), tone: 'destructive' })
      return
    }
    toast({ title: done })
    // The button that had the focus goes with its row.
    heading.current?.focus()
  }
  const endOthers = async () => {
    const text = 'All other devices are signed out at once. Text that is not saved stays on them.'
    if (await confirm({ text, verb: 'End all others', danger: true }))
      await end(endingOthers.run, 'All other devices are signed out.')
  }
  return (
    <Card as="section" aria-labelledby="sessions" className="flex flex-col gap-4 p-6">
      <div>
        <h2 ref={heading} tabIndex={-1} id="sessions" className="text-xl outline-none">
          Signed in on
        </h2>
        <p className="mt-2 text-sm text-ink-soft">
          End a session, and that device is signed out at once. Text that is not saved stays on it. If you do
          not know a device, also change your passcode.
        </p>
      </div>
      <NotReady of={sessions} what="Your sessions" waiting={<Skeleton className="h-28 w-full" />} />
      <Outdated of={sessions} what="The list" />
      <ul className="flex flex-col divide-y divide-line empty:hidden">
        {[...(current ? [current] : []), ...others].map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            onEnd={() =>
              end(() => endingOne.run({ params: { id: session.id } }), `${nameOf(session)} is signed out.`)
            }
          />
        ))}
      </ul>
      {others.length > 0 && (
        <Button
          variant="quiet"
          className="self-start"
          busy={endingOthers.status === 'running'}
          onClick={() => void endOthers()}
        >
          End all others
        </Button>
      )}
      {afterSignIn !== null && (
        <SignInAgainDialog onSignedIn={() => void afterSignIn.end()} onClose={() => setAfterSignIn(null)} />
      )}
    </Card>
  )
}

function SessionRow({ session, onEnd }: { session: OwnSession; onEnd: () => Promise<void> }) {
  const { system, signedInAt, lastUsedAt, isCurrent } = session
  const [isEnding, setIsEnding] = useState(false)
  const Icon = phones.has(system) ? Smartphone : Monitor

  const end = async () => {
    setIsEnding(true)
    await onEnd()
    setIsEnding(false)
  }
  return (
    <li className="flex items-start gap-3 py-3">
      <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-ink-soft" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
          {nameOf(session)}
          {isCurrent && <Badge tone="lamp">This device</Badge>}
        </p>
        <p className="text-sm text-ink-soft">
          Signed in <OwnTime at={signedInAt} />
        </p>
        {!isCurrent && (
          <p className="text-sm text-ink-soft">
            Last used <OwnTime at={lastUsedAt} />
          </p>
        )}
      </div>
      {!isCurrent && (
        <Button variant="quiet" busy={isEnding} onClick={() => void end()}>
          End
          <span className="sr-only">the session of {nameOf(session)}</span>
        </Button>
      )}
    </li>
  )
}

const phones = new Set<string | null>(['iPhone', 'Android'])

/** Such as 'Firefox on Windows'. */
function nameOf({ browser, system }: OwnSession): string {
  if (browser === null && system === null) return 'Unknown device'
  return [browser ?? 'Unknown browser', ...(system === null ? [] : [system])].join(' on ')
}
