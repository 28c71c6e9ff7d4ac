import { Eraser } from 'lucide-react'
import { useLocation } from 'wouter'
import { postPath } from '#contract/feed/post.ts'
import { useErase } from '#web/features/erasing/index.ts'
import { leaveArticle, useIsOverFeed } from '#web/features/posts/index.ts'

interface ErasePostProps {
  postId: string
  className: string
}

/** The button by which an admin erases a post. */
export function ErasePost({ postId, className }: ErasePostProps) {
  const [path, navigate] = useLocation()
  const isOverFeed = useIsOverFeed()
  const { erase, dialog } = useErase(() => {
    if (path !== postPath(postId)) return
    if (isOverFeed) leaveArticle()
    else navigate('/dashboard')
  })
  return (
    <>
      <button
        type="button"
        aria-label="Erase this post"
        className={className}
        onClick={() => erase({ kind: 'post', id: postId })}
      >
        <Eraser aria-hidden className="size-4" />
      </button>
      {dialog}
    </>
  )
}
