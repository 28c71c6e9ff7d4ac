import {
  createWebhook,
  deleteWebhook,
  listWebhookAttempts,
  listWebhooks,
  retryDelivery,
} from '#contract/webhooks/endpoints.ts'
import { type CallRow, admins, row } from './row.ts'

export const webhooksCalls: readonly CallRow[] = [
  row(listWebhooks, admins),
  row(createWebhook, { ...admins, admin: 201 }, () => ({
    input: { url: 'https://reader.example/hook', events: ['post.published'] },
  })),
  row(deleteWebhook, admins, ({ webhook }) => ({ params: { id: webhook.id } })),
  row(listWebhookAttempts, admins, ({ webhook }) => ({ params: { id: webhook.id } })),
  row(retryDelivery, admins, ({ webhook }) => ({
    params: { id: webhook.id },
    input: { deliveryId: webhook.deliveryId },
  })),
]
