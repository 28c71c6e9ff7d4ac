import type { DomainEvents } from '#server/domain-events.ts'
import type { Feature } from '#server/feature.ts'
import type { Vault } from '#server/features/day-texts/index.ts'
import { encryptedDrafts } from './change-key.ts'
import { moveDraftsOfPost } from './queries.ts'
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
  encryptedTables: [encryptedDrafts],
  start(deps: { vault: Vault; events: DomainEvents }) {
    deps.events.on('postIdChanged', moveDraftsOfPost)
    return { routes: draftRoutes(deps) }
  },
} satisfies Feature
