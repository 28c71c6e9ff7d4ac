import {
  changeAwayNotificationChoices,
  changeChoicesOfLink,
  findAwayNotificationLink,
  getAwayNotificationChoices,
} from '#contract/away-notifications/endpoints.ts'
import { type CallRow, everyone, people, row } from './row.ts'

const someAwayNotificationChoices = {
  byMail: true,
  invitations: true,
  messages: false,
  decisions: true,
  turns: false,
  weekly: true,
  quietHours: { from: 22, to: 7 },
  digestHour: 8,
  timeZone: 'Asia/Tokyo',
}

export const awayNotificationsCalls: readonly CallRow[] = [
  row(getAwayNotificationChoices, people),
  row(changeAwayNotificationChoices, people, () => ({ input: someAwayNotificationChoices })),
  row(findAwayNotificationLink, everyone, ({ awayNotificationToken: token }) => ({ input: { token } })),
  row(changeChoicesOfLink, everyone, ({ awayNotificationToken: token }) => ({
    input: { token, changes: someAwayNotificationChoices },
  })),
]
