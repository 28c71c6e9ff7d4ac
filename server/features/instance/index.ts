import type { Feature } from '#server/feature.ts'
import { type Deps, instanceRoutes } from './routes.ts'

export { type Instance, watchInstance } from './instance.ts'

export const feature = {
  start: (deps: Deps) => ({ routes: instanceRoutes(deps) }),
} satisfies Feature
