import type { DomainEvents } from '#server/domain-events.ts'
import type { Feature } from '#server/feature.ts'
import { moveDevice } from './queries.ts'
import { pushRoutes } from './routes.ts'
import { startSendingPushes, type SenderDeps } from './sender.ts'

export { type Push, queuePush } from './queue.ts'

export const feature = {
  start: (deps: SenderDeps & { events: DomainEvents }) => {
    deps.events.on('sessionRenewed', moveDevice)
    return {
      routes: pushRoutes(deps),
      serve: (server) => startSendingPushes(server, deps),
    }
  },
} satisfies Feature
