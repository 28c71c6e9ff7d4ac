import type { Feature } from '#server/feature.ts'
import { reportActionEventLoaders } from './events.ts'
import { type Deps, reportActionRoutes } from './routes.ts'

export const feature = {
  inboxLoaders: () => reportActionEventLoaders,
  start: (deps: Deps) => ({ routes: reportActionRoutes(deps) }),
} satisfies Feature
