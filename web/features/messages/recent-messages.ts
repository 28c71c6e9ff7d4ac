import type { Conversation } from './conversation.ts'

const recentMs = 30 * 24 * 3_600_000
/** A conversation that has rested for longer is not shown as empty. */
const atLeast = 20

/** What a device keeps of a conversation: the messages of the last 30 days, and at least the newest 20. */
export function recentMessages(conversation: Conversation): Conversation {
  const messages = conversation.flatMap((page) => page.messages)
  const since = new Date(Date.now() - recentMs).toISOString()
  const first = messages.findIndex(({ created_at }) => created_at >= since)
  const from = Math.min(first === -1 ? messages.length : first, Math.max(messages.length - atLeast, 0))
  // Without a cursor: the messages before these cannot be read without a network, and a refetch brings the cursor back.
  return [{ messages: messages.slice(from), before: null }]
}
