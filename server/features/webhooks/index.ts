import type { DomainEvents } from '#server/domain-events.ts'
import type { Feature } from '#server/feature.ts'
import { purgeDeliveries, queuePosts } from './queries.ts'
import { webhookRoutes } from './routes.ts'
import { startSendingWebhooks, type SenderDeps } from './sender.ts'

export const feature = {
  purges: { 'deliveries of webhooks': async ({ database }) => void (await purgeDeliveries(database)) },
  start(deps: SenderDeps & { events: DomainEvents }) {
    deps.events.on('postsPublishing', async (db, ids) => void (await queuePosts(db, ids)))
    return { routes: webhookRoutes(deps), serve: (server) => startSendingWebhooks(server, deps) }
  },
} satisfies Feature
