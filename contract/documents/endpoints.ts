import * as z from 'zod/mini'
import { Document, DocumentFields, ListedDocument } from '#contract/documents/document.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Done, Id, Page } from '#contract/schemas.ts'

export const listDocumentsMax = 200

export const listDocuments = endpoint({
  summary: 'Lists the documents of the caller, the last added one first.',
  description: 'A damaged document is left out.',
  method: 'GET',
  path: '/api/documents',
  query: Page(listDocumentsMax),
  output: z.array(ListedDocument),
  errors: ['DiaryLocked'],
})

export const getDocument = endpoint({
  summary: 'Answers a document of the caller.',
  method: 'GET',
  path: '/api/documents/:id',
  params: z.object({ id: Id }),
  output: Document,
  errors: ['DocumentNotFound', 'DocumentDamaged', 'DiaryLocked'],
})

export const createDocument = endpoint({
  summary: 'Stores a text that is neither a day nor a draft.',
  description: 'The caller may choose the id. An id that the caller has used already is a conflict.',
  method: 'POST',
  path: '/api/documents',
  input: z.extend(DocumentFields, { id: z.optional(Id) }),
  output: Document,
  status: 201,
  errors: ['DocumentConflict', 'DocumentsFull', 'DiaryLocked'],
})

export const deleteDocument = endpoint({
  summary: 'Deletes a document.',
  method: 'DELETE',
  path: '/api/documents/:id',
  params: z.object({ id: Id }),
  output: Done,
  errors: ['DocumentNotFound'],
})
