import type { NoticeChoices } from '#contract/notices/choices.ts'

export const someChoices: NoticeChoices = {
  byMail: true,
  invitations: true,
  messages: true,
  decisions: true,
  weekly: false,
  quietHours: null,
  digestHour: null,
  timeZone: 'Europe/Berlin',
}
