import type { PendingPost } from '#contract/feed/post.ts'
import { cut } from '#contract/text.ts'
import { useAppConfig } from '#web/lib/app-config.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { QuietLine } from '#web/ui/QuietLine.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { VisuallyHidden } from '#web/ui/VisuallyHidden.tsx'
import { useApprovePost } from './api.ts'

const previewLength = 150

interface PendingRowProps {
  post: PendingPost
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
}

export function PendingRow({ post, isChosen, onChoose }: PendingRowProps) {
  const { timeZone } = useAppConfig()
  const approval = useApprovePost()
  const toast = useToast()

  const approve = async () => {
    try {
      await approval.run({ params: { id: post.id } })
      toast({ title: `The post of ${post.authorName} is in the feed` })
    } catch {
      // The line in this row tells of it.
    }
  }
  return (
    <Card as="li" className="[contain-intrinsic-size:auto_10rem] [content-visibility:auto]">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <Checkbox
          checked={isChosen}
          onChange={(event) => onChoose(event.target.checked)}
          label={
            <>
              <VisuallyHidden>Select the post of </VisuallyHidden>
              <span className="font-serif font-semibold">{post.authorName}</span>
            </>
          }
        />
        <span className="flex items-center gap-2 text-xs text-ink-soft">
          {post.postType === 'premium' && <Badge tone="lamp">Premium</Badge>}
          <time dateTime={post.createdAt}>
            {new Date(post.createdAt).toLocaleString('en-US', {
              dateStyle: 'medium',
              timeStyle: 'short',
              timeZone,
            })}
          </time>
        </span>
      </div>
      <p className="mt-2 font-serif whitespace-pre-wrap">{cut(post.content, previewLength)}</p>
      <div className="mt-3 flex flex-wrap items-center justify-end gap-3">
        {approval.status === 'failed' && (
          <QuietLine text="Failed to approve post" onTryAgain={() => void approve()} />
        )}
        <Button variant="quiet" busy={approval.status === 'running'} onClick={() => void approve()}>
          Approve
          <VisuallyHidden>the post of {post.authorName}</VisuallyHidden>
        </Button>
      </div>
    </Card>
  )
}
