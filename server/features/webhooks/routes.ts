import { isIP } from 'node:net'
import {
  createWebhook,
  deleteWebhook,
  listWebhookAttempts,
  listWebhooks,
  retryDelivery,
} from '#contract/webhooks/endpoints.ts'
import { webhooksMax } from '#contract/webhooks/events.ts'
import { done } from '#contract/schemas.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import { admins } from '#server/platform/http/endpoints/policy.ts'
import { isPublicAddress } from '#server/platform/outgoing/public-addresses.ts'
import { webhookSecret } from './payload.ts'
import {
  addWebhook,
  countWebhooksAndLock,
  hasWebhook,
  listAllWebhooks,
  listAttempts,
  makeDeliveryDue,
  removeWebhook,
} from './queries.ts'

const changes: LimitRule = { name: 'webhooks', count: 60, seconds: 3600, by: 'person' }
const retries: LimitRule = { name: 'webhook-retries', count: 300, seconds: 3600, by: 'person' }

/** The calls by which admins make webhooks. An address is not called when it is given (S59). */
export function webhookRoutes({ secret }: { secret: string }): Route[] {
  return [
    handle(listWebhooks, admins, ({ db }) => listAllWebhooks(db)),

    handle(createWebhook, admins, { limits: [changes], answersSecret: true }, async (call) => {
      const { db, input, audit, fail } = call
      const refused = refusedUrl(input.url)
      if (refused !== undefined) fail('InvalidInput', { error: refused, fields: { url: refused } })
      if ((await countWebhooksAndLock(db)) >= webhooksMax) fail('TooManyWebhooks')
      const webhook = await addWebhook(db, call, { ...input, url: new URL(input.url).href })
      // The path of an address may be a secret of its receiver.
      await audit('webhook-created', { subjectId: webhook.id, details: { host: new URL(webhook.url).host } })
      return { ...webhook, secret: webhookSecret(webhook.id, secret) }
    }),

    handle(deleteWebhook, admins, { limits: [changes] }, async ({ db, params, audit, fail }) => {
      if (!(await removeWebhook(db, params.id))) fail('WebhookNotFound')
      await audit('webhook-deleted', { subjectId: params.id })
      return done
    }),

    handle(listWebhookAttempts, admins, async ({ db, params, fail }) => {
      if (!(await hasWebhook(db, params.id))) fail('WebhookNotFound')
      return listAttempts(db, params.id)
    }),

    handle(
      retryDelivery,
      admins,
      { limits: [retries], isRepeatable: true },
      async ({ db, params: { id }, input, fail }) => {
        if (!(await hasWebhook(db, id))) fail('WebhookNotFound')
        if (!(await makeDeliveryDue(db, id, input.deliveryId))) fail('DeliveryGone')
        return done
      },
    ),
  ]
}

/** Why a webhook cannot have this address. The names of hosts are resolved when they are called. */
function refusedUrl(text: string): string | undefined {
  const url = URL.parse(text.trim())
  if (url === null || !/^https?:$/.test(url.protocol))
    return 'Please enter an address that begins with https://.'
  if (url.username !== '' || url.password !== '')
    return 'Please enter an address without a name and a password.'
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (host === 'localhost' || (isIP(host) !== 0 && !isPublicAddress(host)))
    return 'Please enter an address in the public internet.'
  return undefined
}
