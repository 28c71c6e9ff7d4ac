import type { Feature } from '#server/feature.ts'
import { encryptedMessages } from './change-key.ts'
import { messageEventLoaders } from './events.ts'
import { type Deps, messageRoutes } from './routes.ts'

export { findMessageToReport } from './reporting.ts'

export const feature = {
  encryptedTables: [encryptedMessages],
  inboxLoaders: messageEventLoaders,
  start: (deps: Deps) => ({ routes: messageRoutes(deps) }),
} satisfies Feature
