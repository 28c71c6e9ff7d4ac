export const adminErrors = {
  HiddenTextsWouldReturn: {
    status: 403,
    error:
      'A suspension hides the texts of this person. Without the account they would be shown again, so lift the suspension first.',
  },
  UserNotFound: { status: 404, error: 'This user no longer exists.' },
} as const
