import * as z from 'zod/mini'
import { Instant, PersonId } from '#contract/schemas.ts'

/** A person as they see themself. Guests have no names, email or username, but an `anonymousId`. */
export const User = z.object({
  id: PersonId,
  email: z.nullable(z.string()),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  username: z.nullable(z.string()),
  isAnonymous: z.boolean(),
  anonymousId: z.nullable(z.string()),
  isAdmin: z.boolean(),
  /** False for an admin, who may do all that a moderator may. */
  isModerator: z.boolean(),
  createdAt: Instant,
})
export type User = z.infer<typeof User>
