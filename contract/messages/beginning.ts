import type { DirectMessage, LastMessage } from '#contract/messages/message.ts'

/** The row of a friend shows less than this, in UTF-16 units. */
const longest = 120
const letters = new Intl.Segmenter()

/** The first words of a text on one line. No letter is cut in two, also one of several characters. */
export function beginningOfMessage(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ')
  if (line.length <= longest) return line
  const { index } = letters.segment(line).containing(longest)!
  return `${line.slice(0, index).trimEnd()}…`
}

/** What the list of friends of a person shows of a message. */
export const lastMessageOf = (
  message: Pick<DirectMessage, 'sender_id' | 'content' | 'message_type'>,
  personId: string,
): LastMessage => ({
  beginning: message.message_type === 'diary' ? '' : beginningOfMessage(message.content),
  isOwn: message.sender_id === personId,
  messageType: message.message_type,
})
