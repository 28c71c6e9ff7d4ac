/** What a webhook is notified of, as admins read it. */
export const webhookEvents = {
  'post.published': 'A post is published',
  'story.finished': 'A public story is finished',
} as const
export type WebhookEvent = keyof typeof webhookEvents

export const webhooksMax = 10
export const webhookUrlMax = 500
/** How many attempts of a webhook are kept. */
export const webhookAttemptsMax = 100
