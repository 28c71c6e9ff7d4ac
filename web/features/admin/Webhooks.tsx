import { useRef, useState } from 'react'
import { deleteWebhook, listWebhooks, type NewWebhook, type Webhook } from '#contract/webhooks/endpoints.ts'
import { webhookEvents, webhooksMax } from '#contract/webhooks/events.ts'
import { sentenceOf, useAction, useEndpoint } from '#web/lib/api.ts'
import { LongDate } from '#web/lib/Time.tsx'
import { useConfirm } from '#web/ui/alerts.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { CopyLink } from '#web/ui/CopyLink.tsx'
import { NotReady, Outdated } from '#web/ui/NotReady.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { NewWebhookForm } from './NewWebhookForm.tsx'
import { WebhookAttempts } from './WebhookAttempts.tsx'

/** The addresses that are notified of what is published. The secret of a webhook is shown once. */
export function Webhooks() {
  const webhooks = useEndpoint(listWebhooks, { staleTime: 0 })
  const intro = useRef<HTMLParagraphElement>(null)
  const [made, setMade] = useState<NewWebhook | null>(null)
  const isFull = (webhooks.data?.length ?? 0) >= webhooksMax

  const forget = (id: string) => {
    if (id === made?.id) setMade(null)
    // The button that had the focus goes with its card.
    intro.current?.focus()
  }
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <p ref={intro} tabIndex={-1} className="text-sm text-ink-soft outline-none">
        The server sends title, address and author of what is published to these addresses, signed with the
        secret of each webhook. What fails is tried again for two days.{' '}
        <a
          href="https://www.standardwebhooks.com"
          target="_blank"
          rel="noreferrer"
          className="text-lamp underline underline-offset-4"
        >
          Standard Webhooks
        </a>{' '}
        says how to check a signature. The file docs/api.md in the source code of this program shows an
        example.
      </p>
      {made !== null && (
        <Card className="flex flex-col gap-2 p-6">
          <p className="text-sm text-ink-soft wrap-anywhere">For {made.url}</p>
          <CopyLink label="Secret of the new webhook" link={made.secret} what="secret" />
        </Card>
      )}
      <NotReady of={webhooks} what="The webhooks" waiting={<Skeleton className="h-28 w-full" />} />
      <Outdated of={webhooks} what="The list" />
      {webhooks.data?.map((webhook) => (
        <WebhookCard key={webhook.id} webhook={webhook} onDeleted={() => forget(webhook.id)} />
      ))}
      {webhooks.status === 'ready' &&
        (isFull ? (
          <p className="text-sm text-ink-soft">
            There are {webhooksMax} webhooks, which is the most. Delete one to make another.
          </p>
        ) : (
          <NewWebhookForm onMade={setMade} />
        ))}
    </div>
  )
}

function WebhookCard({ webhook, onDeleted }: { webhook: Webhook; onDeleted: () => void }) {
  const { id, url, events, createdAt, waiting } = webhook
  const [isOpen, setIsOpen] = useState(false)
  const deleting = useAction(deleteWebhook, { refreshes: [listWebhooks], doneBy: 'WebhookNotFound' })
  const confirm = useConfirm()
  const toast = useToast()

  const remove = async () => {
    const text = `${url} is notified no more, and what waits is not sent.`
    if (!(await confirm({ text, verb: 'Delete webhook', danger: true }))) return
    const deleted = await deleting.attempt({ params: { id } }, (error) =>
      toast({ title: sentenceOf(error, 'The webhook could not be deleted.'), tone: 'destructive' }),
    )
    if (deleted === undefined) return
    toast({ title: 'The webhook is deleted.' })
    onDeleted()
  }
  return (
    <Card as="section" aria-label={url} className="flex flex-col gap-3 p-6">
      <h2 className="font-sans text-base font-semibold wrap-anywhere">{url}</h2>
      <p className="text-sm text-ink-soft">
        {events.map((event) => webhookEvents[event]).join(' · ')}
        <span className="block">
          Made <LongDate at={createdAt} />
          {waiting > 0 && `, ${waiting} waiting`}
        </span>
      </p>
      <div className="flex flex-wrap gap-3">
        <Button variant="quiet" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          Last attempts
        </Button>
        <Button variant="quiet" busy={deleting.status === 'running'} onClick={() => void remove()}>
          Delete
          <span className="sr-only">the webhook {url}</span>
        </Button>
      </div>
      {isOpen && <WebhookAttempts webhookId={id} />}
    </Card>
  )
}
