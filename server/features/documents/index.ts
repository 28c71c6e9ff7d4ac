import type { Feature, Needs } from '#server/feature.ts'
import { encryptedTable } from '#server/features/day-texts/index.ts'
import { textIdsOf } from './queries.ts'
import { documentRoutes } from './routes.ts'

export { addDocument, findDocument, isDocumentThere, listDocuments, lockDocuments } from './queries.ts'

export const feature = {
  encryptedTables: [
    encryptedTable<'user_id' | 'id'>({
      name: 'documents',
      primaryKey: { user_id: 'text', id: 'uuid' },
      texts: {
        title: ({ user_id: userId, id }) => textIdsOf({ userId, id }).title,
        content: ({ user_id: userId, id }) => textIdsOf({ userId, id }).content,
      },
    }),
  ],
  start: (deps: Pick<Needs, 'vault'>) => ({ routes: documentRoutes(deps) }),
} satisfies Feature
