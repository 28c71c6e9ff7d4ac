import type { Feature } from '#server/feature.ts'
import type { Vault } from '#server/features/day-texts/index.ts'
import { encryptedDocuments } from './change-key.ts'
import { documentRoutes } from './routes.ts'

export { addDocument, findDocument, isDocumentThere, listDocuments, lockDocuments } from './queries.ts'

export const feature = {
  encryptedTables: [encryptedDocuments],
  start: (deps: { vault: Vault }) => ({ routes: documentRoutes(deps) }),
} satisfies Feature
