import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { Done, Id, Instant, Text } from '#contract/schemas.ts'
import { type WebhookEvent, webhookEvents, webhookUrlMax } from './events.ts'

const Event = z.enum(Object.keys(webhookEvents) as WebhookEvent[])

/** An address to which the server sends what is published. */
export const Webhook = z.object({
  id: Id,
  url: z.string(),
  events: z.array(Event),
  createdAt: Instant,
  /** How many deliveries are still to be made. */
  waiting: z.int(),
})
export type Webhook = z.infer<typeof Webhook>

/** A new webhook. No later answer contains the secret that signs its deliveries. */
export const NewWebhook = z.object({ ...Webhook.shape, secret: z.string() })
export type NewWebhook = z.infer<typeof NewWebhook>

/** One try to make a delivery. */
export const WebhookAttempt = z.object({
  id: Id,
  deliveryId: Id,
  event: Event,
  /** The post or the room. */
  subjectId: Id,
  at: Instant,
  /** The status of the answer; null when there was none. */
  status: z.nullable(z.int()),
  /** Why there was no answer. */
  failure: z.nullable(z.string()),
  isDelivered: z.boolean(),
  /** When the next try is made; null when none is. */
  nextAt: z.nullable(Instant),
})
export type WebhookAttempt = z.infer<typeof WebhookAttempt>

const path = '/api/admin/webhooks'
const params = z.object({ id: Id })

export const listWebhooks = endpoint({
  summary: 'Lists the webhooks, the oldest first.',
  method: 'GET',
  path,
  output: z.array(Webhook),
})

export const createWebhook = endpoint({
  summary: 'Creates a webhook.',
  description: 'The answer has the secret that signs its deliveries. No later answer has it.',
  method: 'POST',
  path,
  input: z.object({
    url: Text(webhookUrlMax, 'Please enter an address.'),
    events: z.array(Event).check(
      z.minLength(1, 'Please choose what the webhook is notified of.'),
      z.maxLength(Object.keys(webhookEvents).length),
      z.refine((events) => new Set(events).size === events.length, 'Please name each event once.'),
    ),
  }),
  output: NewWebhook,
  status: 201,
  errors: ['TooManyWebhooks'],
})

export const deleteWebhook = endpoint({
  summary: 'Deletes a webhook with its deliveries.',
  method: 'DELETE',
  path: `${path}/:id`,
  params,
  output: Done,
  errors: ['WebhookNotFound'],
})

export const listWebhookAttempts = endpoint({
  summary: 'Lists the last 100 attempts of a webhook, the newest first.',
  method: 'GET',
  path: `${path}/:id/attempts`,
  params,
  output: z.array(WebhookAttempt),
  errors: ['WebhookNotFound'],
})

export const retryDelivery = endpoint({
  summary: 'Makes a delivery again, at once and for two more days.',
  method: 'POST',
  path: `${path}/:id/attempts`,
  params,
  input: z.object({ deliveryId: Id }),
  output: Done,
  errors: ['WebhookNotFound', 'DeliveryGone'],
})
