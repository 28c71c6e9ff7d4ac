import type { Feature } from '#server/feature.ts'
import { type Deps, instanceRoutes } from './routes.ts'

export { accessOf } from './access.ts'
export { type Instance, defaultInstance, watchInstance } from './instance.ts'
export {
  announcementAt,
  asksForAgreement,
  pagesWithText,
  publicInstanceOf,
  instanceOnPages,
  siteNameOf,
} from './public-parts.ts'
export { refusesEmail, refusesNetworkOf } from './sign-ups.ts'
export { instancePageOf } from './text-use.ts'
export { memoizeLast } from './memoize-last.ts'

export const feature = {
  start: (deps: Deps) => ({ routes: instanceRoutes(deps) }),
} satisfies Feature
