import {
  createDraft,
  deleteDraft,
  getDraft,
  listDrafts as listDraftsCall,
  listDraftsMax,
  saveDraft,
} from '#contract/drafts/endpoints.ts'
import { done } from '#contract/schemas.ts'
import type { Vault } from '#server/features/day-texts/index.ts'
import { isPersonGone } from '#server/platform/person-gone.ts'
import { isInstant, readTimeCursor, Slice, timeCursorOf } from '#server/platform/http/answers/paging.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { handle, oneStatement, type Route } from '#server/platform/http/endpoints/handle.ts'
import { people, withScope } from '#server/platform/http/endpoints/policy.ts'
import { newId } from '#server/platform/ids.ts'
import {
  addDraft,
  changeDraft,
  findAfterRefusedChange,
  findDraft,
  listDrafts,
  lockDrafts,
  removeDraft,
} from './queries.ts'

const draftWriters = withScope('posts:write', people)

const bodyLimit = 512 * 1024
/** Creations and saves together. A page saves at most every two seconds. */
const limits: LimitRule[] = [{ name: 'draft-saves', count: 120, seconds: 60, by: 'person' }]
const badBase = { fields: { base: 'base is the updatedAt of an earlier answer.' } }

export function draftRoutes({ vault }: { vault: Vault }): Route[] {
  const ownerOf = (userId: string) => ({ vault, userId })

  return [
    handle(listDraftsCall, draftWriters, async ({ db, viewer, query }) => {
      const { limit = listDraftsMax, before } = query
      const page = await listDrafts(db, ownerOf(viewer.id), { limit, before: readTimeCursor(before) })
      return new Slice(page.drafts, page.next && timeCursorOf(page.next))
    }),

    handle(getDraft, draftWriters, async ({ db, viewer, params, fail }) => {
      const draft = (await findDraft(db, ownerOf(viewer.id), params.id)) ?? fail('DraftNotFound')
      return draft === 'damaged' ? fail('DraftDamaged') : draft
    }),

    handle(
      createDraft,
      draftWriters,
      { bodyLimit, limits, echoes: { content: 'content', authorName: 'authorName', tags: 'tags' } },
      async (call) => {
        const { db, viewer, input, fail } = call
        for (const name of ['createdAt', 'updatedAt'] as const)
          if (input[name] !== undefined && !isInstant(input[name]))
            fail('InvalidInput', { fields: { [name]: `${name} is an instant.` } })
        const owner = ownerOf(viewer.id)
        vault.refuseIfLocked()
        await lockDrafts(db, viewer.id)
        const draft = { ...input, id: input.id ?? newId(call) }
        const added = await addDraft(db, owner, draft).catch((error: unknown) => {
          throw isPersonGone(error) ? fail('SignInRequired') : error
        })
        if (added !== undefined) return added
        const { current } = await findAfterRefusedChange(db, owner, draft.id)
        if (current === undefined) return fail('DraftsFull')
        return current === 'damaged' ? fail('DraftDamaged') : fail('DraftConflict', { current })
      },
    ),

    handle(saveDraft, draftWriters, { bodyLimit, limits }, async ({ db, viewer, params, input, fail }) => {
      if (!isInstant(input.base)) fail('InvalidInput', badBase)
      const owner = ownerOf(viewer.id)
      vault.refuseIfLocked()
      await lockDrafts(db, viewer.id)
      const changed = await changeDraft(db, owner, params.id, input)
      if (changed !== undefined) return changed
      const { current } = await findAfterRefusedChange(db, owner, params.id)
      if (current === undefined) return fail('DraftNotFound')
      if (current === 'damaged') return fail('DraftDamaged')
      return current.updatedAt === input.base ? fail('DraftsFull') : fail('DraftConflict', { current })
    }),

    handle(deleteDraft, draftWriters, oneStatement, async ({ db, viewer, params, query: { base }, fail }) => {
      if (base !== undefined && !isInstant(base)) fail('InvalidInput', badBase)
      if (!(await removeDraft(db, viewer.id, params.id, base))) fail('DraftNotFound')
      return done
    }),
  ]
}
