import { followPerson, listFollowedIds, unfollowPerson } from '#contract/follows/endpoints.ts'
import { done } from '#contract/schemas.ts'
import type { FakeServer } from '#web/testing/fake-server.ts'

/** Answers follows as the server does, for a reader who follows these people. */
export function serveFollows(server: FakeServer, ids: readonly string[] = []) {
  const followed = new Set(ids)
  server.on(listFollowedIds, () => [...followed])
  server.on(followPerson, ({ params }) => {
    followed.add(params.personId)
    return done
  })
  server.on(unfollowPerson, ({ params }) => {
    followed.delete(params.personId)
    return done
  })
}
