import type { PendingPost } from '#contract/feed/post.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { useApprovePost, useChangeVisibility } from './api.ts'
import { DecidableRow, type RowProps } from './DecidableRow.tsx'
import { visibilityWords } from './visibility-words.ts'
import { Waiting } from './Waiting.tsx'

/** A post of the queue. It is approved, or set aside with a reason. */
export function PendingRow({ post, ...row }: RowProps<PendingPost>) {
  const { id, authorName, postType, createdAt } = post
  const approval = useApprovePost()
  const setting = useChangeVisibility()
  const toast = useToast()

  const approve = async (reason: string) => {
    await approval.run({ params: { id }, ...(reason && { input: { reason } }) })
    toast({ title: `${authorName}'s post is in the feed` })
  }
  const setAside = async (reason: string) => {
    const input = { isVisible: false, isWaiting: true, ...(reason && { reason }) }
    await setting.run({ params: { id }, input })
    toast({ title: `${authorName}'s post is set aside` })
  }
  const { verb, failed } = visibilityWords(true, false)
  return (
    <DecidableRow
      {...row}
      post={post}
      state={
        <>
          {postType === 'premium' && <Badge tone="lamp">Premium</Badge>}
          <Waiting since={createdAt} />
        </>
      }
      decisions={[
        { verb, decide: setAside, failed },
        { verb: 'Approve', decide: approve, failed: 'Failed to approve post' },
      ]}
      isRunning={approval.status === 'running'}
      asking={
        <>
          Decide with a reason
          <span className="sr-only"> about the post of {authorName}</span>
        </>
      }
    />
  )
}
