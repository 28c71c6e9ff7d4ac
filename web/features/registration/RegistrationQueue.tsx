import { useRef } from 'react'
import {
  approveRegistration,
  listRegistrationRequests,
  refuseRegistration,
  type RegistrationRequest,
} from '#contract/account/registration/endpoints.ts'
import { requestsAtOnce, waitingDays } from '#contract/account/registration/rules.ts'
import { countWaiting } from '#contract/admin/endpoints.ts'
import { sentenceOf, useAction, useEndpoint } from '#web/lib/api.ts'
import { Time } from '#web/lib/Time.tsx'
import { useConfirm } from '#web/ui/alerts.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { NotReady } from '#web/ui/NotReady.tsx'
import { Skeletons } from '#web/ui/Skeletons.tsx'
import { useToast } from '#web/ui/toasts.tsx'

/** The people who wait until an admin decides about their registration, the longest wait first. */
export function RegistrationQueue() {
  const requests = useEndpoint(listRegistrationRequests, { staleTime: 0 })
  const title = useRef<HTMLHeadingElement>(null)
  return (
    <section aria-labelledby="sign-ups-waiting" className="flex flex-col gap-3">
      <h2 ref={title} id="sign-ups-waiting" tabIndex={-1} className="text-xl font-semibold outline-none">
        Waiting for a decision
      </h2>
      <NotReady of={requests} what="The sign-ups" waiting={<Skeletons count={2} each="h-40" />} />
      {requests.data?.length === 0 && <EmptyState text="Nobody waits for an account" drawing="door" />}
      <ul aria-label="Sign-ups" className="flex flex-col gap-3 empty:hidden">
        {requests.data?.map((request) => (
          <Row key={request.id} request={request} onDecided={() => title.current?.focus()} />
        ))}
      </ul>
      {requests.data?.length === requestsAtOnce && (
        <p className="text-sm text-ink-soft">There may be more. They are shown once these are decided.</p>
      )}
      {requests.data !== undefined && requests.data.length > 0 && (
        <p className="text-sm text-ink-soft">
          A sign-up without a decision is deleted after {waitingDays} days.
        </p>
      )}
    </section>
  )
}

function Row({ request, onDecided }: { request: RegistrationRequest; onDecided: () => void }) {
  const refreshes = [listRegistrationRequests, countWaiting]
  // Another admin may have been first: then the row leaves the list too.
  const doneBy = 'RegistrationRequestNotFound'
  const approval = useAction(approveRegistration, { refreshes, doneBy })
  const refusal = useAction(refuseRegistration, { refreshes, doneBy })
  const toast = useToast()
  const confirm = useConfirm()
  const { id, name, email, question, answer, writingSample, createdAt } = request
  const failure = approval.error ?? refusal.error
  const [isApproving, isRefusing] = [approval.status === 'running', refusal.status === 'running']

  const decide = async (action: typeof approval | typeof refusal, sentence: string) => {
    const answered = await action.attempt({ params: { id } })
    if (!answered) return
    toast({ title: 'ok' in answered ? sentence : 'Another admin has already decided about this sign-up.' })
    onDecided()
  }
  const refuse = async () => {
    const text = `Refuse the sign-up of ${name}? What ${name} has sent is deleted.`
    if (await confirm({ text, verb: 'Refuse', danger: true }))
      await decide(refusal, `The sign-up of ${name} is refused.`)
  }
  return (
    <Card as="li" aria-label={`Sign-up of ${name}`} className="flex flex-col gap-4">
      <div>
        <h3 dir="auto" className="font-serif text-lg font-semibold wrap-anywhere">
          {name}
        </h3>
        <p className="text-xs text-ink-soft wrap-anywhere">
          {email} · asked <Time at={createdAt} />
        </p>
      </div>
      {question !== '' && <Said title={question} text={answer} />}
      <Said title="About the person" text={writingSample} />
      <p role="alert" className="text-sm font-medium text-bad empty:hidden">
        {failure && sentenceOf(failure, 'This could not be decided. Check the connection and try again.')}
      </p>
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="quiet" busy={isRefusing} disabled={isApproving} onClick={() => void refuse()}>
          Refuse<span className="sr-only"> {name}</span>
        </Button>
        <Button
          busy={isApproving}
          disabled={isRefusing}
          onClick={() => void decide(approval, `${name} can sign in now.`)}
        >
          Approve<span className="sr-only"> {name}</span>
        </Button>
      </div>
    </Card>
  )
}

const Said = ({ title, text }: { title: string; text: string }) => (
  <div className="flex flex-col gap-1">
    <h4 dir="auto" className="text-sm font-medium">
      {title}
    </h4>
    <p dir="auto" className="font-serif whitespace-pre-wrap wrap-anywhere">
      {text}
    </p>
  </div>
)
