import { useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import { listDrafts } from '#contract/drafts/endpoints.ts'
import { listOwnPostIds } from '#contract/feed/own/endpoints.ts'
import { getFeedDay } from '#contract/feed/reading/endpoints.ts'
import { listOwnPosts } from '#contract/feed/review/endpoints.ts'
import {
  changePublishTime,
  listScheduledPosts,
  publishScheduledPost,
  type ScheduledPost,
  unschedulePost,
} from '#contract/feed/scheduled/endpoints.ts'
import { draftPath } from '#web/features/posts/index.ts'
import { answersOf, sentenceOf, useAction } from '#web/lib/api.ts'
import { useConfirm } from '#web/ui/alerts.tsx'
import { useToast } from '#web/ui/toasts.tsx'

/** Where a post stands once it has appeared. */
export const listsOfAppeared = [listOwnPosts, listOwnPostIds, getFeedDay]

export const useChangeTime = () => useAction(changePublishTime, { refreshes: [listScheduledPosts] })

export function usePublishNow() {
  const toast = useToast()
  const failed = useFailure()
  const publishing = useAction(publishScheduledPost, { refreshes: [listScheduledPosts, ...listsOfAppeared] })
  const publish = async (id: string) => {
    const post = await publishing.attempt({ params: { id } }, (error) =>
      failed(error, 'The post could not be published. Please try again.'),
    )
    if (post === undefined) return
    toast(
      post.status === 'published'
        ? { title: 'Published', description: "Your post is in today's feed." }
        : { title: 'Submitted for review', description: 'It is reviewed within a week.' },
    )
  }
  return { publish, isRunning: publishing.status === 'running' }
}

/** Makes a draft of a scheduled post. Asks before its picture is lost. */
export function useUnschedule() {
  const toast = useToast()
  const confirm = useConfirm()
  const failed = useFailure()
  const unscheduling = useAction(unschedulePost, { refreshes: [listScheduledPosts, listDrafts] })
  const unschedule = async ({ id, imageUrl }: ScheduledPost) => {
    const text = 'A draft has no picture. The picture of this post is removed.'
    if (imageUrl !== null && !(await confirm({ text, verb: 'Back to drafts' }))) return
    const draft = await unscheduling.attempt({ params: { id } }, (error) =>
      failed(error, 'The post could not be made a draft. Please try again.'),
    )
    if (draft === undefined) return
    toast({
      title: (
        <>
          It is a draft again.{' '}
          <Link href={draftPath(draft.id)} className="underline">
            Continue writing
          </Link>
        </>
      ),
    })
  }
  return { unschedule, isRunning: unscheduling.status === 'running' }
}

/** Says what failed, and reads the list again: the post may have appeared meanwhile. */
function useFailure() {
  const toast = useToast()
  const client = useQueryClient()
  return (error: unknown, otherwise: string) => {
    toast({ title: sentenceOf(error, otherwise), tone: 'destructive' })
    void client.invalidateQueries(answersOf([listScheduledPosts]))
  }
}
