import { displayName } from '#contract/account/display-name.ts'
import type { User } from '#contract/account/user.ts'
import { diaryDate } from '#contract/diary/dates.ts'
import { type Friend, friendName } from '#contract/friends/friend.ts'
import type { DirectMessage } from '#contract/messages/message.ts'
import { oneLine, type SavedText } from '#contract/saving/saved-text.ts'
import { timeOfDay } from '#web/lib/locale.ts'

/** A conversation, as its files contain it: each message under its sender and its time in the zone of this device. */
export function savedConversation(
  messages: readonly DirectMessage[],
  friend: Friend,
  user: User,
  timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone,
): SavedText {
  const other = oneLine(friendName(friend))
  const name = oneLine(displayName(user))
  const own = name === other ? `${name} (you)` : name
  const headingOf = ({ sender_id, created_at, diary_date }: DirectMessage) =>
    [
      sender_id === user.id ? own : other,
      timeOfDay(created_at, { ...dayParts, timeZone }),
      ...(diary_date === null ? [] : [`From the diary, ${diaryDate(diary_date)}`]),
    ].join(' · ')
  const count = messages.length === 1 ? '1 message' : `${messages.length.toLocaleString('en-US')} messages`
  const title = `Messages with ${other}`
  return {
    fileTitle: title,
    title,
    introduction: '',
    note: `${count} · The times are those of ${timeZone}`,
    parts: messages.map((message) => ({ heading: headingOf(message), content: message.content })),
    contributors: [],
  }
}

const dayParts = { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' } as const
