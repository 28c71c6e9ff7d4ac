import type { AwayNotificationChoices } from '#contract/away-notifications/choices.ts'

export const someChoices: AwayNotificationChoices = {
  byMail: true,
  invitations: true,
  messages: true,
  decisions: true,
  turns: true,
  weekly: false,
  quietHours: null,
  digestHour: null,
  timeZone: 'Europe/Berlin',
}
