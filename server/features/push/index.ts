import type { Feature } from '#server/feature.ts'
import { pushRoutes } from './routes.ts'
import { startSendingPushes, type SenderDeps } from './sender.ts'

export { type Push, queuePush } from './queue.ts'

export const feature = {
  start: (deps: SenderDeps) => ({
    routes: pushRoutes(deps),
    serve: (server) => startSendingPushes(server, deps),
  }),
} satisfies Feature
