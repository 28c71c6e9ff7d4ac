import type { PendingPost } from '#contract/feed/post.ts'
import { countWords } from '#contract/text.ts'
import { useHas } from '#web/lib/app-config.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { useApprovePost, useChangeVisibility } from './api.ts'
import { DecidableRow, type RowProps } from './DecidableRow.tsx'
import { visibilityWords } from './visibility-words.ts'
import { Waiting } from './Waiting.tsx'
import { WatchedWords } from './WatchedWords.tsx'

interface PendingRowProps extends RowProps<PendingPost> {
  /** Why a decision without a reason has failed. */
  failure: string | null
  onApprove: () => void
  onOpen: () => void
}

/** A post of the queue. It is opened and approved by a button each, or decided about with a reason. */
export function PendingRow({ post, failure, onApprove, onOpen, ...row }: PendingRowProps) {
  const { id, authorName, postType, createdAt, replacesId, content, watchedWords } = post
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
  const hasPremium = useHas('premium')
  return (
    <DecidableRow
      {...row}
      post={post}
      state={
        <>
          {replacesId !== null && (
            <Badge>
              <span className="truncate xl:max-w-24">New version of a published post</span>
            </Badge>
          )}
          {hasPremium && postType === 'premium' && <Badge tone="lamp">Premium</Badge>}
          <WatchedWords words={watchedWords} />
          <span>{wordsOf(content)}</span>
          <Waiting since={createdAt} />
        </>
      }
      decisions={[
        { verb, decide: setAside, failed },
        { verb: 'Approve', decide: approve, failed: 'Failed to approve post' },
      ]}
      held={{ decide: onApprove, failure }}
      opening={
        <Button variant="link" className="text-sm" data-opens={id} onClick={onOpen}>
          Open
          <span className="sr-only"> the post of {authorName}</span>
        </Button>
      }
      asking={
        <>
          Decide with a reason
          <span className="sr-only"> about the post of {authorName}</span>
        </>
      }
    />
  )
}

export function wordsOf(content: string): string {
  const count = countWords(content)
  return count === 1 ? '1 word' : `${count.toLocaleString('en-US')} words`
}
