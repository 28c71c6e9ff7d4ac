import { listFriends } from '#contract/friends/endpoints.ts'
import {
  countUnread,
  deleteMessage,
  listMessages,
  markRead,
  messagesMax,
  sendMessage,
} from '#contract/messages/endpoints.ts'
import { done } from '#contract/schemas.ts'
import type { Needs } from '#server/feature.ts'
import { diaryTexts } from '#server/features/diary/index.ts'
import { findDayText, vaultLocked } from '#server/features/day-texts/index.ts'
import { countUnreadMessages, findFriendPage, mayWriteToEachOther } from '#server/features/friends/index.ts'
import { notifyPeople } from '#server/features/inbox/index.ts'
import { type Call, handle, oneStatement, type Route } from '#server/platform/http/endpoints/handle.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { readPositionCursor, Slice } from '#server/platform/http/answers/paging.ts'
import { people, type SignedIn, withScope } from '#server/platform/http/endpoints/policy.ts'
import { newId } from '#server/platform/ids.ts'
import { addMessage } from './add-message.ts'
import { findLastMessages } from './last-messages.ts'
import { findMessageAndLockFriendship, findMessagePage, markReadUpTo, removeMessage } from './queries.ts'

const messagePeople = withScope('messages', people)

const newMessages: LimitRule = { name: 'messages', count: 60, seconds: 60, by: 'person' }
/** In bytes: ten diaries of a long day in an hour, and far more than anybody types. */
const newText: LimitRule = { name: 'message-text', count: 4 * 1024 * 1024, seconds: 3600, by: 'person' }
/** In bytes: four such hours. It bounds what one person adds to the database. */
const newTextOfDay: LimitRule = {
  name: 'message-text-of-day',
  count: 16 * 1024 * 1024,
  seconds: 86_400,
  by: 'person',
}

export type Deps = Pick<Needs, 'vault' | 'events'>

export function messageRoutes({ vault, events }: Deps): Route[] {
  return [
    handle(listFriends, messagePeople, async ({ db, viewer, query }) => {
      const page = await findFriendPage(db, viewer.id, query)
      const written = page.rows.filter(({ lastMessageAt }) => lastMessageAt !== null)
      const last = await findLastMessages(
        db,
        vault,
        viewer.id,
        written.map(({ id }) => id),
      )
      return page.with(page.rows.map((friend) => ({ ...friend, lastMessage: last.get(friend.id) ?? null })))
    }),

    handle(listMessages, messagePeople, async ({ db, viewer, params, query, fail }) => {
      const pair = [viewer.id, params.friendId] as const
      const { limit = messagesMax } = query
      const page = await findMessagePage(db, vault, pair, { limit, before: readPositionCursor(query.before) })
      if (page.messages.length === 0 && !(await mayWriteToEachOther(db, ...pair))) fail('FriendNotFound')
      return new Slice(page.messages.toReversed(), page.nextBefore?.toString())
    }),

    handle(
      sendMessage,
      messagePeople,
      {
        ...oneStatement,
        claimsKey: true,
        limits: [newMessages],
        bodyLimit: 512 * 1024,
        echoes: { content: 'content', receiver_id: 'receiverId' },
      },
      async (call) => {
        const { db, claim, viewer, input, limit, fail, afterCommit } = call
        const { receiverId } = input
        const { content, diaryDate } = await textOf(call)
        const weight = Buffer.byteLength(content)
        await limit({ ...newText, weight }, { ...newTextOfDay, weight })
        const message = { id: newId(call), senderId: viewer.id, receiverId, content, diaryDate }
        const added = await addMessage(db, vault, message, claim)
        if (added === undefined) {
          if (!(await mayWriteToEachOther(db, viewer.id, receiverId))) return fail('FriendNotFound')
          throw vaultLocked()
        }
        afterCommit(() => events.emit('inboxesChanged', [viewer.id, receiverId]))
        return added
      },
    ),

    handle(deleteMessage, messagePeople, async (call) => {
      const { db, viewer, params, fail } = call
      const message =
        (await findMessageAndLockFriendship(db, viewer.id, params.id)) ?? fail('MessageNotFound')
      const { senderId, receiverId } = message
      if (senderId !== viewer.id) fail('NotYourMessage')
      if (!(await removeMessage(db, message))) fail('MessageNotFound')
      await notifyPeople(call, events, 'message.deleted', [
        { personId: senderId, otherPersonId: receiverId, details: { id: params.id } },
        { personId: receiverId, otherPersonId: senderId, details: { id: params.id } },
      ])
      return done
    }),

    handle(markRead, messagePeople, { isRepeatable: true }, async (call) => {
      const { db, viewer, input, fail } = call
      const { friendUserId, messageId } = input
      if (!(await mayWriteToEachOther(db, viewer.id, friendUserId))) fail('FriendNotFound')
      const message =
        (await findMessageAndLockFriendship(db, viewer.id, messageId)) ?? fail('MessageNotFound')
      if (![message.senderId, message.receiverId].includes(friendUserId)) fail('MessageNotFound')
      const { unreadCount, isChanged } = await markReadUpTo(db, viewer.id, message)
      if (isChanged)
        await notifyPeople(call, events, 'messages.read', [
          { personId: viewer.id, otherPersonId: friendUserId },
        ])
      return { unreadCount }
    }),

    handle(countUnread, messagePeople, async ({ db, viewer }) => ({
      unreadCount: await countUnreadMessages(db, viewer.id),
    })),
  ]

  /** What a call sends: its own text, or the saved diary entry. */
  async function textOf({ db, viewer, input, requireScope, fail }: Call<typeof sendMessage, SignedIn>) {
    const { diaryDate } = input
    // The schema lets a text pass only with its content, and a diary entry only with its day.
    if (!diaryDate) return { content: input.content!, diaryDate: null }
    // A message is a way to read the diary.
    requireScope('diary')
    const diary = { texts: diaryTexts, vault, userId: viewer.id }
    const { content } = await findDayText(db, diary, diaryDate)
    if (content === '') return fail('NoDiaryEntry')
    if (input.content !== undefined && input.content !== content) return fail('DiaryEntryChanged')
    return { content, diaryDate }
  }
}
