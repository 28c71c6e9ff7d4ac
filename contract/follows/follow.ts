import * as z from 'zod/mini'
import { Instant, PersonId } from '#contract/schemas.ts'

export const followsMax = 1000

/** A person with a page whom the caller follows. */
export const FollowedPerson = z.object({
  id: PersonId,
  name: z.string(),
  /** Empty when the person has written nothing. */
  introduction: z.string(),
  followedAt: Instant,
})
export type FollowedPerson = z.infer<typeof FollowedPerson>
