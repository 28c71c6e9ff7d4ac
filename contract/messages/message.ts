import * as z from 'zod/mini'
import { Day, Id, Instant, PersonId } from '#contract/schemas.ts'

export const messageMaxLength = 5000

/** A message between two friends. Names as on the wire of the product's first version. */
export const DirectMessage = z.object({
  id: Id,
  sender_id: PersonId,
  receiver_id: PersonId,
  /** The text, or the copy of a diary entry. */
  content: z.string(),
  /** Later than that of every earlier message between the two people. */
  created_at: Instant,
  message_type: z.enum(['text', 'diary']),
  /** The day of the copied diary entry. */
  diary_date: z.nullable(Day),
})
/** The newest message of a conversation, as the list of friends shows it. */
export const LastMessage = z.object({
  /** The first words of a text. Empty for a diary entry, which the list only names. */
  beginning: z.string(),
  isOwn: z.boolean(),
  messageType: DirectMessage.shape.message_type,
})
export type LastMessage = z.infer<typeof LastMessage>

export type DirectMessage = z.infer<typeof DirectMessage>
