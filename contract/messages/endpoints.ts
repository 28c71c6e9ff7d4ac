import * as z from 'zod/mini'
import { entryMaxLength } from '#contract/diary/entry.ts'
import { endpoint } from '#contract/endpoint.ts'
import { DirectMessage, messageMaxLength } from '#contract/messages/message.ts'
import { fits } from '#contract/text.ts'
import { Day, Done, Id, Page, PersonId, Text } from '#contract/schemas.ts'

export const messagesMax = 500

export const listMessages = endpoint({
  summary: 'Lists the newest messages with a friend, or those before a cursor; the oldest first.',
  description: 'A page of long messages holds fewer.',
  method: 'GET',
  path: '/api/messages/conversation/:friendId',
  params: z.object({ friendId: PersonId }),
  query: Page(messagesMax),
  output: z.array(DirectMessage),
  errors: ['FriendNotFound', 'DiaryLocked'],
})

export const sendMessage = endpoint({
  summary: 'Sends a text or a copy of a diary entry to a friend.',
  description:
    'With an entry, `content` is what the sender was shown: the call is refused when the saved entry is another one. A call without `content` copies the saved entry.',
  method: 'POST',
  path: '/api/messages/send',
  input: z
    .object({
      receiverId: PersonId,
      messageType: z.enum(['text', 'diary'], 'Please send a text or a diary entry.'),
      content: z.optional(Text(entryMaxLength, 'Please write a message.')),
      /** Only with a diary entry. */
      diaryDate: z.nullish(Day),
    })
    .check(
      z.refine(({ messageType, content }) => messageType === 'diary' || content !== undefined, {
        path: ['content'],
        error: 'Please write a message.',
      }),
      z.refine(
        ({ messageType, content = '' }) => messageType === 'diary' || fits(content, messageMaxLength),
        { path: ['content'], error: `Please write at most ${messageMaxLength} characters.` },
      ),
      z.refine(({ messageType, diaryDate }) => (messageType === 'diary') === (diaryDate != null), {
        path: ['diaryDate'],
        error: 'A diary entry has a day, and a text has none.',
      }),
    ),
  output: DirectMessage,
  status: 201,
  errors: ['FriendNotFound', 'NoDiaryEntry', 'DiaryEntryChanged', 'DayDamaged', 'DiaryLocked'],
})

export const deleteMessage = endpoint({
  summary: 'Deletes a message of the caller on both sides.',
  method: 'DELETE',
  path: '/api/messages/:id',
  params: z.object({ id: Id }),
  output: Done,
  errors: ['MessageNotFound', 'NotYourMessage'],
})

export const UnreadCount = z.object({ unreadCount: z.int() })

export const markRead = endpoint({
  summary: 'Marks the messages of a friend as read, up to a message.',
  description: 'The answer says how many messages of the friend stay unread.',
  method: 'POST',
  path: '/api/messages/read',
  input: z.object({ friendUserId: PersonId, messageId: Id }),
  output: UnreadCount,
  errors: ['FriendNotFound', 'MessageNotFound'],
})

export const countUnread = endpoint({
  summary: 'Counts the unread messages of all friends.',
  method: 'GET',
  path: '/api/messages/unread',
  output: UnreadCount,
})
