import * as z from 'zod/mini'
import type { InboxEvents } from '#contract/inbox/live.ts'

/** What a person can be told of while no page is open. */
export const noticeKinds = ['invitations', 'messages', 'decisions'] as const
export type NoticeKind = (typeof noticeKinds)[number]

/** The events of an inbox that a person is told of. */
export const noticeKindOf: Partial<Record<keyof InboxEvents, NoticeKind>> = {
  message: 'messages',
  'message.long': 'messages',
  'friend.added': 'invitations',
  'invitation.accepted': 'invitations',
  'room.invited': 'invitations',
  'post.approved': 'decisions',
  'post.hidden': 'decisions',
  'post.shown': 'decisions',
  'post.erased': 'decisions',
}

/** Of a day in the time zone of the person. */
const Hour = z.int().check(z.gte(0), z.lte(23))

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** What a person has chosen about notices. */
export const NoticeChoices = z.object({
  /** Off: no mail but those about the account itself. */
  byMail: z.boolean(),
  invitations: z.boolean(),
  messages: z.boolean(),
  decisions: z.boolean(),
  /** A mail each Monday about what is new. */
  weekly: z.boolean(),
  /** Notices wait until their end. Null: there are none. */
  quietHours: z.nullable(
    z.object({ from: Hour, to: Hour }).check(z.refine(({ from, to }) => from !== to, 'Choose two hours.')),
  ),
  /** The hour of a single mail a day. Null: each notice comes by itself. */
  digestHour: z.nullable(Hour),
  timeZone: z
    .string()
    .check(
      z.regex(/^[A-Za-z][\w+/-]{1,63}$/),
      z.refine(isTimeZone, 'Choose a time zone, such as Europe/Berlin.'),
    ),
})
export type NoticeChoices = z.infer<typeof NoticeChoices>
