import type { Feature } from '#server/feature.ts'
import { type Deps, instanceRoutes } from './routes.ts'

export { accessOf } from './access.ts'
export { type Instance, untouchedInstance, watchInstance } from './instance.ts'
export {
  asksForAgreement,
  pagesWithText,
  publicInstanceOf,
  shownOnPages,
  siteNameOf,
} from './public-parts.ts'
export { refusesEmail, refusesNetworkOf } from './sign-ups.ts'
export { instancePageOf } from './text-use.ts'
export { ofLastText } from './of-last-text.ts'

export const feature = {
  start: (deps: Deps) => ({ routes: instanceRoutes(deps) }),
} satisfies Feature
