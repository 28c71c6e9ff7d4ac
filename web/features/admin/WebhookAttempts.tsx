import { Link } from 'wouter'
import { postPath } from '#contract/feed/post.ts'
import { storyPath } from '#contract/rooms/paths.ts'
import {
  listWebhookAttempts,
  listWebhooks,
  retryDelivery,
  type WebhookAttempt,
} from '#contract/webhooks/endpoints.ts'
import { sentenceOf, useAction, useEndpoint } from '#web/lib/api.ts'
import { Time } from '#web/lib/Time.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { NotReady, Outdated } from '#web/ui/NotReady.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useToast } from '#web/ui/toasts.tsx'

/** The last attempts of a webhook. The newest attempt of a delivery says what becomes of it. */
export function WebhookAttempts({ webhookId }: { webhookId: string }) {
  const attempts = useEndpoint(listWebhookAttempts, { params: { id: webhookId }, staleTime: 0 })
  const newest = new Map(attempts.data?.toReversed().map(({ deliveryId, id }) => [deliveryId, id]))
  return (
    <div className="flex flex-col gap-3">
      <NotReady of={attempts} what="The attempts" waiting={<Skeleton className="h-16 w-full" />} />
      <Outdated of={attempts} what="The list" />
      {attempts.data?.length === 0 && <p className="text-sm text-ink-soft">Nothing was sent yet.</p>}
      <ul aria-label="Last attempts" className="flex flex-col divide-y divide-line empty:hidden">
        {attempts.data?.map((attempt) => (
          <AttemptRow
            key={attempt.id}
            webhookId={webhookId}
            attempt={attempt}
            isNewest={newest.get(attempt.deliveryId) === attempt.id}
          />
        ))}
      </ul>
    </div>
  )
}

interface AttemptRowProps {
  webhookId: string
  attempt: WebhookAttempt
  isNewest: boolean
}

function AttemptRow({ webhookId, attempt, isNewest }: AttemptRowProps) {
  const { event, subjectId, at, status, failure, isDelivered, nextAt, deliveryId } = attempt
  const toast = useToast()
  const retrying = useAction(retryDelivery, { refreshes: [listWebhookAttempts, listWebhooks] })
  const isPost = event === 'post.published'
  const isOpen = isNewest && !isDelivered

  const retry = async () => {
    const done = await retrying.attempt({ params: { id: webhookId }, input: { deliveryId } }, (error) =>
      toast({ title: sentenceOf(error, 'That did not work. Please try again.'), tone: 'destructive' }),
    )
    if (done !== undefined) toast({ title: 'It is sent again now.' })
  }
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 py-3 text-sm">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Badge tone={isDelivered ? 'good' : 'bad'}>{status ?? 'No answer'}</Badge>
          <Link
            href={isPost ? postPath(subjectId) : storyPath(subjectId)}
            className="underline underline-offset-2"
          >
            {isPost ? 'Post' : 'Story'}
          </Link>
          <Time at={at} />
        </p>
        {failure !== null && <p className="mt-1 text-ink-soft wrap-anywhere">{failure}</p>}
        {isOpen && (
          <p className="mt-1 text-ink-soft">
            {nextAt === null ? (
              'Given up'
            ) : (
              <>
                Next try <Time at={nextAt} />
              </>
            )}
          </p>
        )}
      </div>
      {isOpen && (
        <Button variant="quiet" busy={retrying.status === 'running'} onClick={() => void retry()}>
          Try again
        </Button>
      )}
    </li>
  )
}
