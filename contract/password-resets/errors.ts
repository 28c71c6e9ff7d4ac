export const passwordResetErrors = {
  SignInAgainToResetPassword: { status: 403, error: 'Please sign in again to make a reset link' },
  AdminResetsOnServer: {
    status: 403,
    error: 'The passcode of an admin is set on the server alone, with "npm run zimmer -- password EMAIL".',
  },
  /** The same answer for every link that resets nothing. */
  PasswordResetNotFound: { status: 404, error: 'This link is no longer good. Ask an admin for a new one.' },
} as const
