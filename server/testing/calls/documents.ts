import { createDocument, deleteDocument, getDocument, listDocuments } from '#contract/documents/endpoints.ts'
import { type CallRow, draftIdOf, people, peopleAdd, row, userAlone } from './row.ts'

export const documentsCalls: readonly CallRow[] = [
  row(listDocuments, people, () => ({ query: { limit: '50' } })),
  row(createDocument, peopleAdd, ({ next }) => ({
    input: {
      id: draftIdOf(next()),
      source: 'Day One',
      title: 'The well',
      content: 'A story of the well',
      createdAt: '2019-06-10T12:00:00.000Z',
    },
  })),
  row(getDocument, userAlone, ({ document }) => ({ params: { id: document } })),
  row(deleteDocument, userAlone, ({ document }) => ({ params: { id: document } })),
]
