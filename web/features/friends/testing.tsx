import type { Friend, ListedFriend } from '#contract/friends/friend.ts'

export const ben: Friend = {
  id: 'k7q2m4xp3e',
  username: 'ben',
  firstName: 'Ben',
  lastName: 'Ode',
  email: null,
}
export const cleo: Friend = {
  id: 'k7q2m4xp3f',
  username: 'cleo',
  firstName: null,
  lastName: null,
  email: 'cleo@example.org',
}
export const dan: Friend = {
  id: 'k7q2m4xp3g',
  username: 'dan',
  firstName: 'Dan',
  lastName: null,
  email: null,
}

export const listed = (friend: Friend, more: Partial<ListedFriend> = {}): ListedFriend => ({
  ...friend,
  unreadCount: 0,
  lastMessageAt: null,
  lastMessage: null,
  ...more,
})
