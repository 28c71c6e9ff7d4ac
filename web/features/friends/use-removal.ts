import { type Friend, friendName } from '#contract/friends/friend.ts'
import { useConfirm } from '#web/ui/alerts.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { useRemoveFriend } from './api.ts'
import { useFriendsCache } from './cache.ts'

/** Asks whether to remove a friend and does it. Answers whether the person is no friend any more. */
export function useRemoval() {
  const confirm = useConfirm()
  const toast = useToast()
  const { remove } = useFriendsCache()
  const { attempt } = useRemoveFriend()

  return async (friend: Friend): Promise<boolean> => {
    const name = friendName(friend)
    const text =
      `Remove ${name} from your friends? Your conversation is deleted for both of you, with all messages and shared ` +
      `diary entries, and cannot be restored. ${name} can add you again, unless you block ${name}.`
    if (!(await confirm({ text, verb: 'Remove', danger: true }))) return false
    const removed = await attempt({ params: { userId: friend.id } }, () =>
      toast({ title: `${name} could not be removed. Please try again.`, tone: 'destructive' }),
    )
    if (!removed) return false
    remove(friend.id)
    toast({ title: `${name} is no longer among your friends.` })
    return true
  }
}
