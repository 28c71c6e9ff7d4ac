import {
  addFriend,
  blockPerson,
  listBlockedPeople,
  listFriends,
  removeFriend,
  searchPeople,
  unblockPerson,
} from '#contract/friends/endpoints.ts'
import { type CallRow, friends, people, peopleAdd, row, userAlone } from './row.ts'

export const friendsCalls: readonly CallRow[] = [
  row(listFriends, people, () => ({ query: { limit: '50' } })),
  row(addFriend, { ...people, user: 400, blocked: 400 }, ({ known }) => ({
    input: { friendUserId: known.id },
  })),
  row(removeFriend, friends, ({ known }) => ({ params: { userId: known.id } })),
  row(searchPeople, people, () => ({ query: { q: 'known' } })),
  row(blockPerson, { ...peopleAdd, user: 400 }, ({ known }) => ({ input: { userId: known.id } })),
  row(unblockPerson, userAlone, ({ blockedId }) => ({ params: { userId: blockedId } })),
  row(listBlockedPeople, people, () => ({ query: { limit: '50' } })),
]
