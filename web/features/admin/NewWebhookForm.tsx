import { type FormEvent, useState } from 'react'
import { createWebhook, listWebhooks, type NewWebhook } from '#contract/webhooks/endpoints.ts'
import { type WebhookEvent, webhookEvents } from '#contract/webhooks/events.ts'
import { sentenceOf, useAction } from '#web/lib/api.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { TextField } from '#web/ui/TextField.tsx'

const allEvents = Object.keys(webhookEvents) as WebhookEvent[]

export function NewWebhookForm({ onMade }: { onMade: (webhook: NewWebhook) => void }) {
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState<readonly WebhookEvent[]>(allEvents)
  const [isChecked, setIsChecked] = useState(false)
  // The answer is a secret that the server does not repeat.
  const creating = useAction(createWebhook, { refreshes: [listWebhooks], retries: false, onSuccess: onMade })
  const missing = url.trim() === '' ? 'Please enter an address.' : undefined
  const failed = 'The webhook could not be made. Check the connection and the list, and try again.'
  const refused = creating.error === null ? undefined : sentenceOf(creating.error, failed)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setIsChecked(true)
    creating.reset()
    if (missing !== undefined || events.length === 0) return
    const input = { url: url.trim(), events: allEvents.filter((each) => events.includes(each)) }
    if ((await creating.attempt({ input })) === undefined) return
    setUrl('')
    setIsChecked(false)
  }
  const choose = (event: WebhookEvent, isChosen: boolean) =>
    setEvents(isChosen ? [...events, event] : events.filter((each) => each !== event))
  return (
    <Card as="section" aria-labelledby="new-webhook" className="p-6">
      <h2 id="new-webhook" className="mb-4 text-xl">
        New webhook
      </h2>
      <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <TextField
          label="Address"
          inputMode="url"
          autoComplete="off"
          placeholder="https://"
          value={url}
          error={(isChecked && missing) || refused}
          onChange={(event) => setUrl(event.target.value)}
        />
        <fieldset className="min-w-0" aria-describedby="event-error">
          <legend className="mb-2 text-sm font-medium">It is notified when</legend>
          <div className="flex flex-col gap-2">
            {allEvents.map((event) => (
              <Checkbox
                key={event}
                label={webhookEvents[event]}
                checked={events.includes(event)}
                onChange={({ target }) => choose(event, target.checked)}
              />
            ))}
          </div>
          <p id="event-error" role="alert" className="mt-1.5 text-xs font-medium text-bad empty:hidden">
            {isChecked && events.length === 0 && 'Please choose what the webhook is notified of.'}
          </p>
        </fieldset>
        <Button type="submit" className="self-start" busy={creating.status === 'running'}>
          Make webhook
        </Button>
      </form>
    </Card>
  )
}
