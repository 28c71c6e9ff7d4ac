import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import {
  followPerson,
  listFollowedIds,
  listFollowedPosts,
  listFollows,
  unfollowPerson,
} from '#contract/follows/endpoints.ts'
import { useSession } from '#web/features/account/index.ts'
import { answersOf, queryKeyOf, sentenceOf, useAction, useEndpoint } from '#web/lib/api.ts'
import { useToast } from '#web/ui/toasts.tsx'
import { useMarks } from './marks.ts'

/** Whether the id is that of a person with a page. Those of sample creators and of authors without a page have other characters. */
const isPersonWithPage = (id: string) => /^[0-9a-z]{10}$/.test(id)

/** Whether the server keeps that the reader follows this person. All other follows are marks of this page. */
export function useIsStored(id: string): boolean {
  const { state } = useSession()
  return state === 'registered' && isPersonWithPage(id)
}

/** The ids of all whom the reader follows: on the server and by marks of this page. */
export function useFollowed(): ReadonlySet<string> {
  const { state } = useSession()
  const { followed } = useMarks()
  const isRegistered = state === 'registered'
  const { data: stored = [] } = useEndpoint(listFollowedIds, { enabled: isRegistered })
  return isRegistered
    ? new Set([...stored, ...[...followed].filter((id) => !isPersonWithPage(id))])
    : followed
}

/** Shows a change at once, and takes it back with a sentence when it fails. */
export function useStoredFollow(id: string, name: string) {
  const client = useQueryClient()
  const toast = useToast()
  const ids = useEndpoint(listFollowedIds)
  const { run: follow } = useAction(followPerson)
  const { run: unfollow } = useAction(unfollowPerson)
  /** The changes are sent one after the other. */
  const sent = useRef(Promise.resolve())

  const show = (follows: boolean) =>
    client.setQueryData<string[]>(idsKey, (known) => {
      const others = known?.filter((other) => other !== id)
      return others && (follows ? [...others, id] : others)
    })
  const send = async (follows: boolean) => {
    try {
      await (follows ? follow : unfollow)({ params: { personId: id } })
      void client.invalidateQueries(answersOf([listFollowedPosts]))
      // A list that is shown keeps its rows, so that the person can be followed again there.
      void client.invalidateQueries({ ...answersOf([listFollows]), refetchType: 'none' })
    } catch (error) {
      show(!follows)
      const failed = `${name} could not be ${follows ? 'followed' : 'unfollowed'}. Check the connection and try again.`
      toast({ title: 'Error', description: sentenceOf(error, failed), tone: 'destructive' })
    }
  }
  const toggle = () => {
    // A second press may come before the first one is drawn.
    const follows = !client.getQueryData<string[]>(idsKey)?.includes(id)
    show(follows)
    sent.current = sent.current.then(() => send(follows))
  }
  return { status: ids.status, refetch: ids.refetch, isFollowed: ids.data?.includes(id) ?? false, toggle }
}

const idsKey = queryKeyOf(listFollowedIds)
