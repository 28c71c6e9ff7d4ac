import type { Feature } from '#server/feature.ts'
import { type Deps } from './erase.ts'
import { erasingEventLoaders } from './events.ts'
import { erasingRoutes } from './routes.ts'

export { eraseAsideFully, erasePassageFully, erasePostFully } from './erase.ts'

export const feature = {
  inboxLoaders: () => erasingEventLoaders,
  start: (deps: Deps) => ({ routes: erasingRoutes(deps) }),
} satisfies Feature
