import { useRef } from 'react'
import { listUnsentMails, retryMail } from '#contract/mails/endpoints.ts'
import type { MailKind, UnsentMail } from '#contract/mails/mail.ts'
import { sentenceOf, useAction } from '#web/lib/api.ts'
import { usePages } from '#web/lib/pages.ts'
import { Time } from '#web/lib/Time.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ListNotReady } from '#web/ui/ListNotReady.tsx'
import { Outdated } from '#web/ui/NotReady.tsx'
import { ShowMore } from '#web/ui/ShowMore.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { BouncedAddresses } from './BouncedAddresses.tsx'

/** The mails that the server has given up, or that wait after a restore. */
export function UnsentMails() {
  const mails = usePages(listUnsentMails, { limit: '50' })
  const list = useRef<HTMLUListElement>(null)
  if (mails.status !== 'ready')
    return <ListNotReady of={mails} what="The unsent mails" count={3} each="h-28" />
  return (
    <div className="flex flex-col gap-3">
      <Outdated of={mails} what="The unsent mails" />
      <p className="max-w-prose text-sm text-ink-soft">
        Each of these mails was refused by the mail server for good, failed or waited for two days, or was in
        a restored backup. They are deleted after 30 days.
      </p>
      {mails.data.items.length === 0 && <EmptyState text="Every mail was sent" drawing="lamp" />}
      <ul
        ref={list}
        tabIndex={-1}
        aria-label="Unsent mails"
        className="flex flex-col gap-3 outline-none empty:hidden"
      >
        {mails.data.items.map((mail) => (
          <Row key={mail.id} mail={mail} onDone={() => list.current?.focus()} />
        ))}
      </ul>
      <ShowMore of={mails.data} list={list} />
      <BouncedAddresses />
    </div>
  )
}

const kindNames: Record<MailKind, string> = {
  confirmation: 'Confirmation of the address',
  reset: 'Link for a new passcode',
  'password-changed': 'Notice of a changed passcode',
  notices: 'News for a person who was away',
  weekly: 'Weekly digest',
}

function Row({ mail, onDone }: { mail: UnsentMail; onDone: () => void }) {
  const { id, kind, createdAt, failedAt, failure } = mail
  const address = mail.address ?? 'an address that nobody has looked up'
  const retry = useAction(retryMail, { refreshes: [listUnsentMails], doneBy: 'MailNotFound' })
  const toast = useToast()
  const tryAgain = async () => {
    try {
      await retry.run({ params: { id } })
    } catch (error) {
      toast({ title: sentenceOf(error, 'That did not work. Please try again.'), tone: 'destructive' })
      return
    }
    toast({ title: 'The mail is in the queue again.' })
    onDone()
  }
  return (
    <Card as="li" className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="flex min-w-0 flex-col gap-1">
        <h2 className="font-semibold">{kindNames[kind]}</h2>
        <p className="text-sm wrap-anywhere">To {address}</p>
        <p dir="auto" className="text-sm wrap-anywhere text-bad">
          {failure === '' ? 'The server ended while it sent this mail.' : failure}
        </p>
        <p className="text-xs text-ink-soft">
          Queued <Time at={createdAt} /> · given up <Time at={failedAt} />
        </p>
      </div>
      <Button variant="quiet" busy={retry.status === 'running'} onClick={() => void tryAgain()}>
        Try again
        <span className="sr-only"> to mail {address}</span>
      </Button>
    </Card>
  )
}
