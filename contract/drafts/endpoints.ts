import * as z from 'zod/mini'
import { Draft, DraftFields, ListedDraft } from '#contract/drafts/draft.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Done, Id, Instant, Page } from '#contract/schemas.ts'

export const listDraftsMax = 200

export const listDrafts = endpoint({
  summary: 'Lists the drafts of the caller, the last changed one first.',
  description:
    'A page of long texts is shorter than `limit`: the list ends where `Next-Before` is missing. A damaged draft is left out.',
  method: 'GET',
  path: '/api/drafts',
  query: Page(listDraftsMax),
  output: z.array(ListedDraft),
  errors: ['DiaryLocked'],
})

export const getDraft = endpoint({
  summary: 'Answers a draft of the caller.',
  method: 'GET',
  path: '/api/drafts/:id',
  params: z.object({ id: Id }),
  output: Draft,
  errors: ['DraftNotFound', 'DraftDamaged', 'DiaryLocked'],
})

export const createDraft = endpoint({
  summary: 'Stores a new draft.',
  description:
    'The caller may choose the id, so that a draft has an address before it is stored. An id that the caller has used already is a conflict.',
  method: 'POST',
  path: '/api/drafts',
  input: z.extend(DraftFields, {
    id: z.optional(Id),
    /** The post of the caller that the draft will change. */
    postId: z._default(z.nullable(Id), null),
    /** When the draft was begun and last changed, if it was elsewhere. Never later than now. */
    createdAt: z.optional(Instant),
    updatedAt: z.optional(Instant),
  }),
  output: Draft,
  status: 201,
  errors: ['DraftConflict', 'DraftsFull', 'DraftDamaged', 'DiaryLocked'],
})

export const saveDraft = endpoint({
  summary: 'Changes a draft.',
  method: 'PUT',
  path: '/api/drafts/:id',
  params: z.object({ id: Id }),
  input: z.extend(DraftFields, {
    /** The `updatedAt` that the writer started from. */
    base: Instant,
  }),
  output: Draft,
  errors: ['DraftNotFound', 'DraftConflict', 'DraftsFull', 'DraftDamaged', 'DiaryLocked'],
})

export const deleteDraft = endpoint({
  summary: 'Deletes a draft.',
  description: 'With `base`, a draft with another `updatedAt` is not found, and stays.',
  method: 'DELETE',
  path: '/api/drafts/:id',
  params: z.object({ id: Id }),
  query: z.object({ base: z.optional(Instant) }),
  output: Done,
  errors: ['DraftNotFound'],
})
