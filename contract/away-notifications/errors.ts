export const awayNotificationErrors = {
  /** The same answer for every link that leads to nobody. */
  NoticeLinkNotFound: {
    status: 404,
    error: 'This link is no longer good. Choose in the settings, or by the link of a newer mail.',
  },
  UnsubscribesAlone: {
    status: 403,
    error:
      'This link switches mails off, and nothing else. The link in the text of a mail shows all choices.',
  },
} as const
