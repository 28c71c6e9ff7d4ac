import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant, Page, PersonId } from '#contract/schemas.ts'

export const roomsMax = 200

/** A room as the feed's search and its detail dialog know it. */
export const FeedRoom = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  memberCount: z.number(),
  isActive: z.boolean(),
  isPublic: z.boolean(),
  /** Minutes. */
  duration: z.number(),
  expiresAt: Instant,
  createdAt: Instant,
  createdBy: z.nullable(PersonId),
  isMember: z.boolean(),
})
export type FeedRoom = z.infer<typeof FeedRoom>

export const listFeedRooms = endpoint({
  method: 'GET',
  path: '/api/zimmer-rooms',
  query: Page(roomsMax),
  output: z.array(FeedRoom),
  errors: [],
})
