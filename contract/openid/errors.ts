export const openidErrors = {
  OpenidOff: { status: 404, error: 'Nobody can sign in by another site here.' },
  OpenidUnavailable: {
    status: 503,
    error: 'The other site cannot be reached at the moment. Please try again, or sign in with your passcode.',
  },
  /** The same answer for an attempt that is unknown, used, too old or of another browser. */
  OpenidAttemptEnded: {
    status: 400,
    error: 'This sign-in has ended, or it was begun in another browser. Please start again.',
  },
  OpenidDenied: { status: 403, error: 'The other site did not sign you in. Nothing was changed.' },
  OpenidAnswerRefused: {
    status: 403,
    error: 'The answer of the other site could not be verified. Please start again.',
  },
  OpenidEmailUnverified: {
    status: 403,
    error: 'Your account at the other site has no verified email address. Please verify one there first.',
  },
  OpenidAccountExists: {
    status: 403,
    error:
      'An account here has your email address already. Please sign in with its passcode, and link it in the settings.',
  },
  OpenidNotForModerators: { status: 403, error: 'Admins and moderators sign in with their passcode.' },
  OpenidLinkTaken: {
    status: 400,
    error: 'Your account at the other site is linked to another account here.',
  },
  OpenidAlreadyLinked: { status: 400, error: 'Your account is linked already. Please unlink it first.' },
  SignInAgainToLink: { status: 403, error: 'Please sign in again to link your account' },
} as const
