import type { Feature, Needs } from '#server/feature.ts'
import { moveDevice } from './queries.ts'
import { pushRoutes } from './routes.ts'
import { startSendingPushes, type SenderDeps } from './sender.ts'

export { type Push, queuePush } from './queue.ts'

export const feature = {
  start: (deps: SenderDeps & Pick<Needs, 'events'>) => {
    deps.events.on('sessionRenewed', moveDevice)
    return {
      routes: pushRoutes(deps),
      serve: (server) => startSendingPushes(server, deps),
    }
  },
} satisfies Feature
