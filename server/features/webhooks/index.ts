import type { Feature, Needs } from '#server/feature.ts'
import { purgeDeliveries, queuePosts } from './queries.ts'
import { webhookRoutes } from './routes.ts'
import { startSendingWebhooks, type SenderDeps } from './sender.ts'

export const feature = {
  purges: { 'deliveries of webhooks': async ({ database }) => void (await purgeDeliveries(database)) },
  start(deps: SenderDeps & Pick<Needs, 'events'>) {
    deps.events.on('postsPublishing', async (db, ids) => void (await queuePosts(db, ids)))
    return { routes: webhookRoutes(deps), serve: (server) => startSendingWebhooks(server, deps) }
  },
} satisfies Feature
