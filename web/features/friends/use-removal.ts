import { type Friend, friendName } from '#contract/friends/friend.ts'
import { RequestError } from '#web/lib/request.ts'
import { useConfirm } from '#web/ui/alerts.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { useFriendsCache, useRemoveFriend } from './api.ts'

/** Asks whether to remove a friend and does it. Answers whether the person is no friend any more. */
export function useRemoval() {
  const confirm = useConfirm()
  const toast = useToast()
  const { remove } = useFriendsCache()
  const { run } = useRemoveFriend()

  return async (friend: Friend): Promise<boolean> => {
    const name = friendName(friend)
    const text =
      `Remove ${name} from your friends? Your conversation is deleted for both of you, with all messages and shared ` +
      `diary entries, and cannot be restored. ${name} can add you again, unless you block ${name}.`
    if (!(await confirm({ text, verb: 'Remove', danger: true }))) return false
    try {
      await run({ params: { userId: friend.id } })
    } catch (error) {
      // Removed on another device, or by the friend.
      const isGone = error instanceof RequestError && error.code === 'FriendNotFound'
      if (!isGone) {
        console.error('Failed to remove a friend', error)
        toast({ title: `${name} could not be removed. Please try again.`, tone: 'destructive' })
        return false
      }
    }
    remove(friend.id)
    toast({ title: `${name} is no longer among your friends.` })
    return true
  }
}
