import type { DirectMessage } from '#contract/messages/message.ts'

/** Messages as they were loaded, the oldest first. */
export interface MessagePage {
  messages: readonly DirectMessage[]
  /** The cursor of the messages before this page; null at the beginning of the conversation. */
  before: string | null
}

/**
 * The loaded pages of a conversation, the oldest first, without a gap between them. Only the newest page grows. The time of
 * a message is later than that of every earlier message of the conversation.
 */
export type Conversation = readonly MessagePage[]

export const newestOf = (conversation: Conversation): DirectMessage | undefined =>
  conversation.findLast(({ messages }) => messages.length > 0)?.messages.at(-1)

/** Adds a message that was sent just now, or nothing when it is there already. */
export function withMessage(conversation: Conversation, message: DirectMessage): Conversation {
  const newest = conversation.at(-1)
  if (newest === undefined || newest.messages.some(({ id }) => id === message.id)) return conversation
  const messages = [...newest.messages, message].toSorted(byTime)
  return [...conversation.slice(0, -1), { ...newest, messages }]
}

export const withoutMessage = (conversation: Conversation, id: string): Conversation =>
  conversation.map((page) =>
    page.messages.some((message) => message.id === id)
      ? { ...page, messages: page.messages.filter((message) => message.id !== id) }
      : page,
  )

/** Adds the page before the loaded ones. */
export const withEarlierPage = (conversation: Conversation, page: MessagePage): Conversation => [
  page,
  ...conversation,
]

/**
 * Replaces the newest messages by those that the server has now. `asked` is the conversation when the request was sent:
 * messages that arrived meanwhile stay. Earlier pages stay when no message is missing between them and the answer.
 */
export function withNewestPage(
  conversation: Conversation | undefined,
  answer: MessagePage,
  asked: Conversation | undefined,
): Conversation {
  const [first] = answer.messages
  const known = new Set([...(asked?.at(-1)?.messages ?? []), ...answer.messages].map(({ id }) => id))
  const arrived = (conversation?.at(-1)?.messages ?? []).filter(({ id }) => !known.has(id))
  const newest = { ...answer, messages: [...answer.messages, ...arrived].toSorted(byTime) }
  const newestAsked = asked && newestOf(asked)
  const isWhole = answer.before === null || first === undefined
  const hasGap =
    newestAsked === undefined || (first !== undefined && newestAsked.created_at < first.created_at)
  if (isWhole || hasGap) return [newest]
  const earlier = (conversation ?? []).flatMap((page) => {
    const messages = page.messages.filter(({ created_at }) => created_at < first.created_at)
    if (messages.length === 0) return []
    return messages.length === page.messages.length ? page : { ...page, messages }
  })
  return [...earlier, newest]
}

const groupGapMs = 10 * 60_000
const groupMs = 60 * 60_000

/**
 * The messages whose time is shown: the last one of each group. A group is what one person wrote in a row within a short
 * while. Nothing else is hidden with the time.
 */
export function lastOfGroups(messages: readonly DirectMessage[]): Set<string> {
  const last = new Set<string>()
  let [first, previous] = [messages[0], messages[0]]
  for (const message of messages) {
    const isContinued =
      message.sender_id === previous!.sender_id &&
      msBetween(previous!, message) <= groupGapMs &&
      msBetween(first!, message) <= groupMs
    if (!isContinued) {
      last.add(previous!.id)
      first = message
    }
    previous = message
  }
  if (previous !== undefined) last.add(previous.id)
  return last
}

/**
 * The time of the first of the newest messages that fill a window of this height, and begin with a group; '' when all messages
 * do not fill it.
 */
export function startOfWindow(messages: readonly DirectMessage[], height: number): string {
  const last = lastOfGroups(messages)
  let [first, left] = [messages.length, height]
  while (first > 0 && (left > 0 || !last.has(messages[first - 1]!.id))) {
    first--
    left -= leastHeightOf(messages[first]!)
  }
  return first === 0 ? '' : messages[first]!.created_at
}

/** In pixels. A line has at most about 80 letters. */
const leastHeightOf = ({ content }: DirectMessage) => 48 + 24 * Math.floor(Math.min(content.length, 600) / 80)

const msBetween = (one: DirectMessage, other: DirectMessage) =>
  Date.parse(other.created_at) - Date.parse(one.created_at)

const byTime = (one: DirectMessage, other: DirectMessage) => (one.created_at < other.created_at ? -1 : 1)
