import type { Feature, Needs } from '#server/feature.ts'
import { encryptedTable } from '#server/features/day-texts/index.ts'
import { moveDraftsOfPost, textIdOf } from './queries.ts'
import { draftRoutes } from './routes.ts'

export {
  addDraft,
  findAfterRefusedChange,
  findDraft,
  listDrafts,
  lockDrafts,
  removeDraft,
  eraseDraftsOfPost,
} from './queries.ts'

export const feature = {
  encryptedTables: [
    encryptedTable<'user_id' | 'id'>({
      name: 'drafts',
      primaryKey: { user_id: 'text', id: 'uuid' },
      texts: { content: ({ user_id: userId, id }) => textIdOf({ userId, id }) },
    }),
  ],
  start(deps: Pick<Needs, 'vault' | 'events'>) {
    deps.events.on('postIdChanged', moveDraftsOfPost)
    return { routes: draftRoutes(deps) }
  },
} satisfies Feature
