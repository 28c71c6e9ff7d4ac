import * as z from 'zod/mini'
import type { InboxEvents } from '#contract/inbox/live.ts'

/** What a person can be notified of while away, with no page open. */
const awayNotificationKinds = ['invitations', 'messages', 'decisions', 'turns'] as const
export type AwayNotificationKind = (typeof awayNotificationKinds)[number]

/** The kind of an event of the inbox. A person who is away is not notified of an event without a kind. */
export const awayNotificationKindOf: Partial<Record<keyof InboxEvents, AwayNotificationKind>> = {
  message: 'messages',
  'message.long': 'messages',
  'friend.added': 'invitations',
  'invitation.accepted': 'invitations',
  'room.invited': 'invitations',
  'post.approved': 'decisions',
  'post.hidden': 'decisions',
  'post.shown': 'decisions',
  'post.erased': 'decisions',
  'turn.reminder': 'turns',
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

/** What a person has chosen about away notifications: what they are about, and when they come. */
export const AwayNotificationChoices = z.object({
  /** Off: no mail but those about the account itself. */
  byMail: z.boolean(),
  invitations: z.boolean(),
  messages: z.boolean(),
  decisions: z.boolean(),
  /** The own turns in slow tables. */
  turns: z.boolean(),
  /** A mail each Monday about what is new. */
  weekly: z.boolean(),
  /** What is due meanwhile waits until their end. Null: there are none. */
  quietHours: z.nullable(
    z.object({ from: Hour, to: Hour }).check(z.refine(({ from, to }) => from !== to, 'Choose two hours.')),
  ),
  /** The hour of the daily digest, one mail for all. Null: each notification comes by itself. */
  digestHour: z.nullable(Hour),
  timeZone: z
    .string()
    .check(
      z.regex(/^[A-Za-z][\w+/-]{1,63}$/),
      z.refine(isTimeZone, 'Choose a time zone, such as Europe/Berlin.'),
    ),
})
export type AwayNotificationChoices = z.infer<typeof AwayNotificationChoices>
