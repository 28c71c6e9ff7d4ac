import { blockedPeopleMax, friendsMax } from './friend.ts'

export const friendErrors = {
  /** The same answer for a stranger, a blocked person and an id of nobody. */
  FriendNotFound: { status: 404, error: 'This person is not among your friends.' },
  CannotBeFriend: { status: 400, error: 'This person cannot be added as a friend.' },
  TooManyFriends: {
    status: 400,
    error: `One of you already has ${friendsMax.toLocaleString('en')} friends.`,
  },
  NotBlocked: { status: 404, error: 'You have not blocked this person.' },
  CannotBeBlocked: { status: 400, error: 'This person cannot be blocked.' },
  TooManyBlocks: {
    status: 400,
    error: `You have already blocked ${blockedPeopleMax.toLocaleString('en')} people.`,
  },
} as const
