import { erasePassage, erasePost } from '#contract/erasing/endpoints.ts'
import { done } from '#contract/schemas.ts'
import { lockPeopleOfReports } from '#server/features/abuse-reports/index.ts'
import { findAuthorOfPost } from '#server/features/feed/index.ts'
import { findAuthorOfPassage } from '#server/features/rooms/index.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import { admins } from '#server/platform/http/endpoints/policy.ts'
import { type Deps, erasePassageFully, erasePostFully } from './erase.ts'
import { wasPostErased } from './queries.ts'

const erasures: LimitRule = { name: 'erasures', count: 300, seconds: 3600, by: 'person' }

export function erasingRoutes(deps: Deps): Route[] {
  return [
    handle(erasePost, admins, async (call) => {
      const { db, viewer, params, input, limit, fail } = call
      await limit(erasures)
      const { id } = params
      const knownAuthor = await findAuthorOfPost(db, id)
      if (knownAuthor !== undefined) {
        await lockPeopleOfReports(db, { kind: 'post', targetId: id, adminId: viewer.id, ...knownAuthor })
        if (await erasePostFully(call, deps, { id, reason: input?.reason })) return done
      }
      // A text that is not there under its id may be there under another one.
      if (!(await wasPostErased(db, id))) fail('PostNotFound')
      return done
    }),

    handle(erasePassage, admins, async (call) => {
      const { db, viewer, params, input, limit, fail } = call
      await limit(erasures)
      const { id: roomId, passageId: id } = params
      const { authorId } = (await findAuthorOfPassage(db, { roomId, id })) ?? fail('PassageNotFound')
      await lockPeopleOfReports(db, { kind: 'passage', targetId: id, adminId: viewer.id, authorId })
      const passage = { roomId, id, authorId, reason: input?.reason }
      if (!(await erasePassageFully(call, deps, passage))) fail('PassageNotFound')
      return done
    }),
  ]
}
