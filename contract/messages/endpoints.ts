import * as z from 'zod/mini'
import { entryMaxLength } from '#contract/diary/entry.ts'
import { endpoint } from '#contract/endpoint.ts'
import { DirectMessage, messageMaxLength } from '#contract/messages/message.ts'
import { fits } from '#contract/text.ts'
import { Day, Done, Id, Page, PersonId, Text } from '#contract/schemas.ts'

export const messagesMax = 500

/** The newest messages, or the newest `before` a cursor; oldest first. A page of long messages holds fewer. */
export const listMessages = endpoint({
  method: 'GET',
  path: '/api/messages/conversation/:friendId',
  params: z.object({ friendId: PersonId }),
  query: Page(messagesMax),
  output: z.array(DirectMessage),
  errors: ['FriendNotFound', 'DiaryLocked'],
})

/**
 * A text, or a copy of the sender's diary entry of a day. With an entry, `content` is what the sender was shown: the
 * call is refused when the saved entry is another one. A call without `content` copies the saved entry.
 */
export const sendMessage = endpoint({
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

/** Deletes an own message on both sides. */
export const deleteMessage = endpoint({
  method: 'DELETE',
  path: '/api/messages/:id',
  params: z.object({ id: Id }),
  output: Done,
  errors: ['MessageNotFound', 'NotYourMessage'],
})

export const UnreadCount = z.object({ unreadCount: z.number() })

/** Marks the messages of a friend as read, up to a message. Answers how many of the friend's messages stay unread. */
export const markRead = endpoint({
  method: 'POST',
  path: '/api/messages/read',
  input: z.object({ friendUserId: PersonId, messageId: Id }),
  output: UnreadCount,
  errors: ['FriendNotFound', 'MessageNotFound'],
})

/** The unread messages of all friends. */
export const countUnread = endpoint({
  method: 'GET',
  path: '/api/messages/unread',
  output: UnreadCount,
  errors: [],
})
