export const mailErrors = {
  /** The same answer for every link that confirms nothing. */
  ConfirmationNotFound: {
    status: 404,
    error: 'This link is no longer good. Ask for a new one in the settings.',
  },
  MailNotFound: { status: 404, error: 'This mail is not in the list any more.' },
} as const
