import { useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import { takenBackDays } from '#contract/feed/post.ts'
import { getFeedDay, getPost } from '#contract/feed/reading/endpoints.ts'
import {
  changePost,
  deleteTakenBackPost,
  getOwnPost,
  listOwnPostIds,
  listPostVersions,
  listTakenBackPosts,
  restorePost,
  takeBackPost,
  type TakenBackPost,
} from '#contract/feed/own/endpoints.ts'
import { listOwnPosts } from '#contract/feed/review/endpoints.ts'
import { listPersonPosts } from '#contract/people/endpoints.ts'
import { queryKeyOf, sentenceOf, useAction } from '#web/lib/api.ts'
import { useToast } from '#web/ui/toasts.tsx'

const lists = [getFeedDay, listPersonPosts, listOwnPosts, listOwnPostIds, listTakenBackPosts]
const undoMs = 10_000

export const kindWords = { deleted: 'Deleted', unpublished: 'Unpublished' }

/** Takes an own post back at once. A toast offers to undo it. */
export function useTakeBack() {
  const client = useQueryClient()
  const toast = useToast()
  const taking = useAction(takeBackPost, { refreshes: lists })
  const restore = useRestore()
  return async (id: string, kind: TakenBackPost['kind']): Promise<boolean> => {
    const taken = await taking.attempt({ params: { id }, query: { kind } }, (error) =>
      toast({
        title: sentenceOf(error, 'The post could not be taken back. Please try again.'),
        tone: 'destructive',
      }),
    )
    if (taken === undefined) return false
    client.removeQueries({ queryKey: queryKeyOf(getPost, { params: { id } }) })
    toast({
      title: (
        <>
          {kindWords[kind]}. It stays under{' '}
          <Link href="/writing?list=taken" className="underline">
            Taken back
          </Link>{' '}
          for {takenBackDays} days.
        </>
      ),
      action: { label: 'Undo', onPress: () => void restore(id) },
      shownMs: undoMs,
    })
    return true
  }
}

export function useRestore() {
  const toast = useToast()
  const restoring = useAction(restorePost, { refreshes: lists })
  return (id: string) =>
    restoring
      .attempt({ params: { id } }, (error) =>
        toast({
          title: sentenceOf(error, 'The post could not be restored. Please try again.'),
          tone: 'destructive',
        }),
      )
      .then((restored) => {
        if (restored !== undefined)
          toast({
            title: restored.status === 'published' ? 'The post is back' : 'The post waits for review again',
          })
      })
}

export const useDeleteForGood = () => useAction(deleteTakenBackPost, { refreshes: [listTakenBackPosts] })

export const useChangePost = () =>
  useAction(changePost, { refreshes: [...lists, getPost, getOwnPost, listPostVersions] })
