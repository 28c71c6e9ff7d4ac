import type { Needs } from '#server/feature.ts'
import { ifAvailable } from '#server/platform/database/unavailable.ts'
import type { Server } from '#server/platform/http/server.ts'
import { schedule } from '#server/platform/schedule.ts'
import { findPayload, webhookSecret, signatureHeaders } from './payload.ts'
import {
  addAttempt,
  type Delivery,
  endDelivery,
  findDueDelivery,
  type LeasedWebhook,
  type Outcome,
  queueStories,
  releaseWebhook,
  takeDueWebhooks,
} from './queries.ts'

const lookEveryMs = 1000
const lookForStoriesEveryMs = 5000
/** A call takes at most 5 s, so a process stops before its lease ends. */
const leaseSeconds = 60
const sendForMs = 30_000
const [firstPauseSeconds, longestPauseSeconds] = [30, 6 * 3600]

export type SenderDeps = Pick<Needs, 'config' | 'database' | 'clock' | 'random' | 'secret' | 'callOutgoing'>

/** Makes the deliveries of webhooks. A slow webhook does not delay the others. */
export function startSendingWebhooks({ app }: Server, deps: SenderDeps): void {
  const { database } = deps
  const running = new Set<Promise<void>>()
  schedule(app, 'webhooks', lookEveryMs, (signal) =>
    ifAvailable(async () => {
      for (const webhook of await takeDueWebhooks(database, leaseSeconds)) {
        const work = ifAvailable(() => deliverAll(deps, webhook, signal))
          .catch((error: unknown) => app.log.error({ err: error }, 'the deliveries of a webhook failed'))
          .finally(() => running.delete(work))
        running.add(work)
      }
    }),
  )
  schedule(app, 'finished stories for webhooks', lookForStoriesEveryMs, () =>
    ifAvailable(async () => void (await queueStories(database))),
  )
  app.addHook('onClose', async () => void (await Promise.all(running)))
}

/** Makes the due deliveries of a webhook, one after the other, and gives the webhook back. */
async function deliverAll(deps: SenderDeps, webhook: LeasedWebhook, signal: AbortSignal) {
  const { database, config, clock } = deps
  const until = clock.monotonicMs() + sendForMs
  while (!signal.aborted && clock.monotonicMs() < until) {
    const delivery = await findDueDelivery(database, webhook.id)
    if (delivery === undefined) break
    const payload = await findPayload(database, config, delivery)
    if (payload === undefined) {
      await endDelivery(database, webhook.id, delivery.id)
      continue
    }
    const body = JSON.stringify({ type: delivery.event, timestamp: clock.now().toISOString(), data: payload })
    const outcome = await send(deps, { webhook, delivery, body, signal })
    // The receiver may have the message all the same: it is sent again, with the same id.
    if (outcome === 'stopped') break
    await database.transaction((tx) => addAttempt(tx, deps, { webhookId: webhook.id, delivery, outcome }))
  }
  await releaseWebhook(database, webhook.id)
}

interface Sending {
  webhook: LeasedWebhook
  delivery: Delivery
  body: string
  signal: AbortSignal
}

async function send(
  { clock, secret, callOutgoing }: SenderDeps,
  { webhook, delivery, body, signal }: Sending,
): Promise<Outcome | 'stopped'> {
  const pauseSeconds = Math.min(firstPauseSeconds * 2 ** delivery.attempts, longestPauseSeconds)
  const signature = signatureHeaders(webhookSecret(webhook.id, secret), {
    id: delivery.id,
    body,
    now: clock.now(),
  })
  try {
    const { status } = await callOutgoing({
      method: 'POST',
      url: webhook.url,
      headers: { 'content-type': 'application/json', 'user-agent': 'Zimmer', ...signature },
      body,
      signal,
    })
    const isDelivered = status >= 200 && status < 300
    return { status, failure: null, pauseSeconds: isDelivered ? null : pauseSeconds }
  } catch (error) {
    if (signal.aborted) return 'stopped'
    return { status: null, failure: sentenceOf(error as Error), pauseSeconds }
  }
}

function sentenceOf({ name, message, code }: Error & { code?: string }): string {
  if (name === 'TimeoutError') return 'There was no answer within five seconds.'
  if (code === 'ENOTFOUND') return 'The host has no address.'
  return message.slice(0, 200)
}
