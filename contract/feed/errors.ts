import { scheduledPostsMax } from './scheduled/rules.ts'

export const feedErrors = {
  FutureDay: { status: 400, error: 'Future dates are not available' },
  SubmissionsOff: { status: 403, error: 'Only people with an account can send texts here. Please sign in.' },
  PostNotFound: { status: 404, error: 'This post does not exist or is not public.' },
  UnknownPosts: { status: 400, error: 'Some of the chosen posts do not exist. Nothing was changed.' },
  PostDecided: { status: 409, error: 'Somebody else has decided already. Nothing was changed.' },
  OwnPost: {
    status: 403,
    error: 'An admin or another moderator decides about your own posts. Nothing was changed.',
  },
  AuthorNameReserved: { status: 400, error: 'This author name is reserved. Please choose another one.' },
  PremiumOff: { status: 400, error: 'Premium publishing is not offered here.' },
  PostConflict: {
    status: 400,
    error: 'This post was changed elsewhere in the meantime. Nothing was overwritten.',
  },
  ScheduledPostNotFound: { status: 404, error: 'This post is not scheduled, or has appeared already.' },
  ScheduledPostsFull: {
    status: 400,
    error: `You have ${scheduledPostsMax} scheduled posts. Please publish one or make it a draft first.`,
  },
  VersionNotFound: { status: 404, error: 'This version does not exist any more.' },
  SubmittedAlready: { status: 400, error: 'This text was already submitted today.' },
  PendingListFull: { status: 429, error: 'Too many posts are waiting for review. Please try again later.' },
} as const
