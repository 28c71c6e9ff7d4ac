import type { Feature } from '#server/feature.ts'
import { encryptedTable } from '#server/features/day-texts/index.ts'
import { textIdOf } from './add-message.ts'
import { messageEventLoaders } from './events.ts'
import { type Deps, messageRoutes } from './routes.ts'

export { findMessageToReport } from './reporting.ts'

export const feature = {
  encryptedTables: [
    encryptedTable<'id' | 'sender_id'>({
      name: 'direct_messages',
      primaryKey: { id: 'uuid' },
      texts: { content: ({ id, sender_id: senderId }) => textIdOf({ senderId, id }) },
    }),
  ],
  inboxLoaders: messageEventLoaders,
  start: (deps: Deps) => ({ routes: messageRoutes(deps) }),
} satisfies Feature
