import { friendName, type ListedFriend } from '#contract/friends/friend.ts'
import { listFriends } from '#contract/friends/endpoints.ts'
import { listMessages } from '#contract/messages/endpoints.ts'
import type { DirectMessage } from '#contract/messages/message.ts'
import { type ArchiveCalls, rowsOf } from './calls.ts'
import { type ArchiveFile, jsonList } from './file.ts'
import { messagesPath } from './layout.ts'

interface Person {
  id: string
  name: string
}

/** Each conversation as JSON and as Markdown. */
export async function* messageFiles(calls: ArchiveCalls, person: Person): AsyncGenerator<ArchiveFile> {
  for await (const friend of rowsOf(calls, listFriends)) {
    const conversation = await conversationWith(calls, friend.id)
    if (conversation === undefined) continue
    yield { path: messagesPath(friend.id, 'json'), content: jsonList(conversation()) }
    yield { path: messagesPath(friend.id, 'md'), content: markdownOf(conversation(), friend, person) }
  }
}

/**
 * Prepares to read a conversation from its oldest message. The server gives the newest page first. So this function first
 * collects the cursors of all pages. Each call of the result then reads page by page. Undefined: there are no messages, or
 * the friend is gone. A page whose messages are all damaged is empty.
 */
async function conversationWith(calls: ArchiveCalls, friendId: string) {
  const read = async (before?: string) =>
    calls.read(listMessages, { params: { friendId }, query: before === undefined ? {} : { before } })
  const first = await read()
  if (first === undefined) return undefined
  if (first.output.length === 0 && first.nextBefore === undefined) return undefined
  const cursors: string[] = []
  for (let before = first.nextBefore; before !== undefined; before = (await read(before))?.nextBefore)
    cursors.unshift(before)
  return async function* (): AsyncGenerator<DirectMessage> {
    let last = ''
    for (const cursor of cursors) {
      // A page has other messages when some were deleted meanwhile. No two have the same time.
      for (const message of (await read(cursor))?.output ?? []) {
        if (message.created_at <= last) continue
        last = message.created_at
        yield message
      }
    }
    for (const message of first.output) if (message.created_at > last) yield message
  }
}

async function* markdownOf(
  messages: AsyncIterable<DirectMessage>,
  friend: ListedFriend,
  person: Person,
): AsyncGenerator<string> {
  yield `# ${friendName(friend)}\n`
  for await (const { sender_id, content, created_at, diary_date } of messages) {
    const sender = sender_id === person.id ? person.name : friendName(friend)
    const what = diary_date === null ? '' : `, from the diary of ${diary_date}`
    yield `\n---\n\n**${sender}**, ${created_at.slice(0, 10)} ${created_at.slice(11, 16)} UTC${what}\n\n${content}\n`
  }
}
