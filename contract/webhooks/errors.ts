export const webhookErrors = {
  WebhookNotFound: { status: 404, error: 'This webhook no longer exists.' },
  DeliveryGone: { status: 400, error: 'This delivery is no longer kept.' },
  TooManyWebhooks: { status: 400, error: 'There are 10 webhooks, which is the most. Delete one first.' },
} as const
