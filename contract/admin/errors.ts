export const adminErrors = {
  UserNotFound: { status: 404, error: 'This user no longer exists.' },
} as const
