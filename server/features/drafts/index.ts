import type { Feature } from '#server/feature.ts'
import type { Vault } from '#server/features/day-texts/index.ts'
import { encryptedDrafts } from './change-key.ts'
import { draftRoutes } from './routes.ts'

export { addDraft, findAfterRefusedChange, lockDrafts, removeDraft, removeDraftsOfPost } from './queries.ts'

export const feature = {
  encryptedTables: [encryptedDrafts],
  start: (deps: { vault: Vault }) => ({ routes: draftRoutes(deps) }),
} satisfies Feature
