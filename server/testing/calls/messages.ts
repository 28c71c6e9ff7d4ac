import {
  countUnread,
  deleteMessage,
  listMessages,
  markRead,
  sendMessage,
} from '#contract/messages/endpoints.ts'
import { type CallRow, friends, people, row, userAlone } from './row.ts'

export const messagesCalls: readonly CallRow[] = [
  row(listMessages, friends, ({ known }) => ({ params: { friendId: known.id }, query: { limit: '50' } })),
  row(sendMessage, { ...friends, member: 201 }, ({ known }) => ({
    input: { messageType: 'diary', receiverId: known.id, content: 'A quiet day', diaryDate: '2025-06-09' },
  })),
  row(deleteMessage, { ...userAlone, member: 403 }, ({ message }) => ({ params: { id: message } })),
  row(markRead, friends, ({ known, message }) => ({
    input: { friendUserId: known.id, messageId: message },
  })),
  row(countUnread, people),
]
