import { failedDialog, part } from '#web/ui/part.tsx'

export { useAddFriend, useBlockedPeople, useFriends, useUnblockPerson } from './api.ts'
export { useFriendsCache } from './cache.ts'
export { FriendList } from './FriendList.tsx'
export { PersonSearch } from './PersonSearch.tsx'
export { useBlock } from './use-block.ts'
export { useRemoval } from './use-removal.ts'

export const AddFriendDialog = part(
  async () => (await import('./AddFriendDialog.tsx')).AddFriendDialog,
  failedDialog,
)
