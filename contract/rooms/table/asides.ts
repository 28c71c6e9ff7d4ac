import * as z from 'zod/mini'
import { Id, Instant, PersonId } from '#contract/schemas.ts'

export const asideMaxLength = 500
export const asidesMax = 100

/** How long after the end of a room its asides are kept. */
export const asidesKeptMs = 24 * 60 * 60 * 1000

/** What somebody at the table has said beside the story. It is no part of the story. */
export const Aside = z.object({
  id: Id,
  userId: PersonId,
  /** Null unless the author signs with the name. */
  authorName: z.nullable(z.string()),
  content: z.string(),
  createdAt: Instant,
})
export type Aside = z.infer<typeof Aside>
