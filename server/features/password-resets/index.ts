import type { Feature } from '#server/feature.ts'
import { passwordResetEventLoaders } from './events.ts'
import { purgeResets } from './queries.ts'
import { type Deps, passwordResetRoutes } from './routes.ts'

export const feature = {
  // Foreign keys delete the links of an account (S15).
  inboxLoaders: () => passwordResetEventLoaders,
  purges: { passwordResets: ({ database }, signal) => purgeResets(database, signal) },
  start: (deps: Deps) => ({ routes: passwordResetRoutes(deps) }),
} satisfies Feature
