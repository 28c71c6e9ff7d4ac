import {
  addFriend,
  blockPerson,
  listBlockedPeople,
  listFriends,
  removeFriend,
  searchPeople,
  unblockPerson,
} from '#contract/friends/endpoints.ts'
import { friendName, type ListedFriend } from '#contract/friends/friend.ts'
import { countUnread } from '#contract/messages/endpoints.ts'
import { useSession } from '#web/features/account/index.ts'
import { type ReadState, useAction, useEndpoint } from '#web/lib/api.ts'
import { useFriendsCache } from './cache.ts'

/** The friends of the signed-in person: the newest message first, then those without messages by name. */
export function useFriends(): ReadState<ListedFriend[]> {
  const { state } = useSession()
  const friends = useEndpoint(listFriends, { enabled: state === 'registered', staleTime: 0 })
  return friends.status === 'ready' ? { ...friends, data: inOrder(friends.data) } : friends
}

const inOrder = (friends: readonly ListedFriend[]) =>
  friends
    .map((friend) => ({ friend, at: friend.lastMessageAt ?? '', name: friendName(friend) }))
    .toSorted((one, other) =>
      one.at === other.at ? names.compare(one.name, other.name) : one.at < other.at ? 1 : -1,
    )
    .map(({ friend }) => friend)

const names = new Intl.Collator()

/** People whose name or username begins with the text, or whose email address it is. */
export const useFoundPeople = (q: string, isEnabled: boolean) =>
  useEndpoint(searchPeople, { query: { q }, enabled: isEnabled, retry: false, staleTime: 0 })

export function useAddFriend() {
  const { add } = useFriendsCache()
  return useAction(addFriend, { onSuccess: add, failure: 'Failed to add a friend' })
}

export const useRemoveFriend = () =>
  useAction(removeFriend, {
    refreshes: [countUnread],
    failure: 'Failed to remove a friend',
    // Removed on another device, or by the friend.
    doneBy: 'FriendNotFound',
  })

export const useBlockedPeople = () => useEndpoint(listBlockedPeople, { staleTime: 0 })

const changedByBlocks = [listFriends, listBlockedPeople, searchPeople, countUnread]

export const useBlockPerson = () =>
  useAction(blockPerson, { refreshes: changedByBlocks, failure: 'Failed to block a person' })
export const useUnblockPerson = () =>
  useAction(unblockPerson, {
    refreshes: changedByBlocks,
    failure: 'Failed to unblock a person',
    // Unblocked on another device.
    doneBy: 'NotBlocked',
  })
