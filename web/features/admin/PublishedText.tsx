import { useId, useState } from 'react'
import { getPost } from '#contract/feed/reading/endpoints.ts'
import { TextDifference } from '#web/features/own-posts/index.ts'
import { codeOf, useEndpoint } from '#web/lib/api.ts'
import { Button } from '#web/ui/Button.tsx'
import { NotReady } from '#web/ui/NotReady.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'

interface PublishedTextProps {
  /** The published post. */
  postId: string
  /** The text of its new version. */
  content: string
  authorName: string
}

/** Below a new version: what it changes in the published text, once the admin asks for it. */
export function PublishedText({ postId, content, authorName }: PublishedTextProps) {
  const [isShown, setIsShown] = useState(false)
  const id = useId()
  return (
    <div id={id} className="mt-2 flex flex-col items-start gap-2">
      {isShown && <Comparison postId={postId} content={content} />}
      <Button
        variant="link"
        className="text-sm"
        aria-expanded={isShown}
        aria-controls={id}
        onClick={() => setIsShown(!isShown)}
      >
        {isShown ? 'Hide the comparison' : 'Compare with the published text'}
        <span className="sr-only"> of the post of {authorName}</span>
      </Button>
    </div>
  )
}

function Comparison({ postId, content }: Omit<PublishedTextProps, 'authorName'>) {
  const post = useEndpoint(getPost, { params: { id: postId }, staleTime: 0 })
  if (codeOf(post.error) === 'PostNotFound')
    return (
      <p className="text-sm text-ink-soft">
        The published post is hidden. Its text is in the list of all posts.
      </p>
    )
  return (
    <div
      role="region"
      aria-label="Changes in the published text"
      // Without a place in the order of focus, the keyboard could not scroll the text.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="max-h-[50dvh] w-full overflow-y-auto overscroll-contain rounded-md bg-sunk px-4 py-3"
    >
      <NotReady of={post} what="The published text" waiting={<Skeleton className="h-24 w-full" />} />
      {post.status === 'ready' && <TextDifference before={post.data.content} after={content} />}
    </div>
  )
}
