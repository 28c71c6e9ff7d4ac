import {
  createDocument,
  deleteDocument,
  getDocument,
  listDocuments as listDocumentsCall,
  listDocumentsMax,
} from '#contract/documents/endpoints.ts'
import { done } from '#contract/schemas.ts'
import type { Vault } from '#server/features/day-texts/index.ts'
import { isPersonGone } from '#server/platform/person-gone.ts'
import { isInstant, readTimeCursor, Slice, timeCursorOf } from '#server/platform/http/answers/paging.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { handle, oneStatement, type Route } from '#server/platform/http/endpoints/handle.ts'
import { people } from '#server/platform/http/endpoints/policy.ts'
import { newId } from '#server/platform/ids.ts'
import {
  addDocument,
  findDocument,
  isDocumentThere,
  listDocuments,
  lockDocuments,
  removeDocument,
} from './queries.ts'

/** The longest document of letters of four bytes. */
const bodyLimit = 2048 * 1024
const limits: LimitRule[] = [{ name: 'new-documents', count: 120, seconds: 60, by: 'person' }]
const badTime = { fields: { createdAt: 'createdAt is an instant in UTC, with milliseconds.' } }

export function documentRoutes({ vault }: { vault: Vault }): Route[] {
  const ownerOf = (userId: string) => ({ vault, userId })

  return [
    handle(listDocumentsCall, people, async ({ db, viewer, query }) => {
      const { limit = listDocumentsMax, before } = query
      const page = await listDocuments(db, ownerOf(viewer.id), { limit, before: readTimeCursor(before) })
      return new Slice(page.documents, page.next && timeCursorOf(page.next))
    }),

    handle(getDocument, people, async ({ db, viewer, params, fail }) => {
      const document = (await findDocument(db, ownerOf(viewer.id), params.id)) ?? fail('DocumentNotFound')
      return document === 'damaged' ? fail('DocumentDamaged') : document
    }),

    handle(
      createDocument,
      people,
      { bodyLimit, limits, echoes: { content: 'content', title: 'title' } },
      async (call) => {
        const { db, viewer, input, fail } = call
        if (input.createdAt !== null && !isInstant(input.createdAt)) fail('InvalidInput', badTime)
        const owner = ownerOf(viewer.id)
        vault.refuseIfLocked()
        await lockDocuments(db, viewer.id)
        const document = { ...input, id: input.id ?? newId(call) }
        const added = await addDocument(db, owner, document).catch((error: unknown) => {
          throw isPersonGone(error) ? fail('SignInRequired') : error
        })
        if (added !== undefined) return added
        return (await isDocumentThere(db, owner, document.id))
          ? fail('DocumentConflict')
          : fail('DocumentsFull')
      },
    ),

    handle(deleteDocument, people, oneStatement, async ({ db, viewer, params, fail }) => {
      if (!(await removeDocument(db, viewer.id, params.id))) fail('DocumentNotFound')
      return done
    }),
  ]
}
