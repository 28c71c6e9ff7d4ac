import type { AdminPost } from '#contract/feed/review/endpoints.ts'
import { useSession } from '#web/features/account/index.ts'
import { useErase } from '#web/features/erasing/index.ts'
import { PostState } from '#web/features/posts/index.ts'
import { Time } from '#web/lib/Time.tsx'
import { Button } from '#web/ui/Button.tsx'
import { useChangeVisibility } from './api.ts'
import { DecidableRow, type RowProps } from './DecidableRow.tsx'
import { visibilityWords } from './visibility-words.ts'

/** A post with its state, and buttons that hide or show it, and for admins that erase it. A waiting post is set aside, or returns to the queue. */
export function PostRow({ post, ...row }: RowProps<AdminPost>) {
  const { id, authorName, isVisible, createdAt, publishedAt, decidedAt, decidedBy, reason } = post
  const change = useChangeVisibility()
  const { isAdmin } = useSession()
  const { erase, dialog } = useErase()
  const isPending = post.status === 'pending'
  const { verb, failed } = visibilityWords(isPending, !isVisible)

  const decide = (why: string) => {
    const isWaiting = isPending && isVisible
    return change.run({
      params: { id },
      input: { isVisible: !isVisible, ...(isWaiting && { isWaiting }), ...(why && { reason: why }) },
    })
  }
  return (
    <DecidableRow
      {...row}
      post={post}
      state={
        <>
          <PostState post={post} />
          {publishedAt === null ? 'Submitted' : 'Published'} <Time at={publishedAt ?? createdAt} />
        </>
      }
      decisions={[{ verb, decide, failed }]}
      isRunning={change.status === 'running'}
      erasing={
        isAdmin && (
          <Button
            variant="link"
            className="text-sm"
            onClick={() =>
              erase({ kind: post.replacesId === null ? 'post' : 'version', id, content: post.content })
            }
          >
            Erase
            <span className="sr-only"> the post of {authorName}</span>
          </Button>
        )
      }
      asking={
        <>
          {verb} with a reason
          <span className="sr-only">: the post of {authorName}</span>
        </>
      }
    >
      {decidedAt !== null && (
        <p className="mt-2 text-xs whitespace-pre-wrap text-ink-soft wrap-anywhere">
          {decidedBy ?? 'An admin or moderator'} decided on <Time at={decidedAt} />
          {reason !== null && `: ${reason}`}
        </p>
      )}
      {dialog}
    </DecidableRow>
  )
}
