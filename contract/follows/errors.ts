import { followsMax } from './follow.ts'

export const followErrors = {
  FollowsFull: {
    status: 400,
    error: `You follow ${followsMax} people. Please unfollow somebody first.`,
  },
} as const
