import {
  followPerson,
  listFollowedIds,
  listFollowedPosts,
  listFollows,
  unfollowPerson,
} from '#contract/follows/endpoints.ts'
import { isPersonId } from '#contract/ids.ts'
import { useSession } from '#web/features/account/index.ts'
import { sentenceOf } from '#web/lib/api.ts'
import { type StoredIds, useIds, useIdSet } from '#web/lib/id-set.ts'
import { send } from '#web/lib/request.ts'
import { useToast } from '#web/ui/toasts.tsx'
import { useMarks } from './marks.ts'

const follows: StoredIds = {
  list: listFollowedIds,
  add: (personId) => send(followPerson, { params: { personId }, keepalive: true }),
  remove: (personId) => send(unfollowPerson, { params: { personId }, keepalive: true }),
  alsoRefreshes: [listFollowedPosts],
  // A person who is unfollowed in the list can be followed again there.
  keepsRowsOf: [listFollows],
  channel: 'follows',
}

/** Whether a follow of this person is stored on the server. All others stay in the memory of this tab. */
export function useIsFollowOnServer(id: string): boolean {
  const { state } = useSession()
  return state === 'registered' && isPersonId(id)
}

/** The ids of all whom the reader follows: on the server and by marks of this page. */
export function useFollowed(): ReadonlySet<string> {
  const { state } = useSession()
  const { followed } = useMarks()
  const isRegistered = state === 'registered'
  const { data: stored = [] } = useIds(follows, { enabled: isRegistered })
  return isRegistered ? new Set([...stored, ...[...followed].filter((id) => !isPersonId(id))]) : followed
}

/** Shows a change at once, and takes it back with a sentence when it fails. */
export function useStoredFollow(id: string, name: string) {
  const toast = useToast()
  const { status, refetch, data } = useIds(follows)
  const { has, change } = useIdSet(follows)
  const toggle = async () => {
    // A second press may come before the first one is drawn.
    const isFollowed = !has(id)
    try {
      await change(id, isFollowed)
    } catch (error) {
      const otherwise = `${name} could not be ${isFollowed ? 'followed' : 'unfollowed'}. Please try again.`
      toast({ title: sentenceOf(error, otherwise), tone: 'destructive' })
    }
  }
  return { status, refetch, isFollowed: data?.includes(id) ?? false, toggle }
}
