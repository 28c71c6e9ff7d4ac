import { Eraser } from 'lucide-react'
import { useLocation } from 'wouter'
import { type Post, postPath } from '#contract/feed/post.ts'
import { useErase } from '#web/features/erasing/index.ts'
import { leaveArticle, useIsOverFeed } from '#web/features/posts/index.ts'

interface ErasePostProps {
  post: Pick<Post, 'id' | 'content'>
  className: string
}

/** The button by which an admin erases a post. */
export function ErasePost({ post: { id, content }, className }: ErasePostProps) {
  const [path, navigate] = useLocation()
  const isOverFeed = useIsOverFeed()
  const { erase, dialog } = useErase(() => {
    if (path !== postPath(id)) return
    if (isOverFeed) leaveArticle()
    else navigate('/dashboard')
  })
  return (
    <>
      <button
        type="button"
        aria-label="Erase this post"
        className={className}
        onClick={() => erase({ kind: 'post', id, content })}
      >
        <Eraser aria-hidden className="size-4" />
      </button>
      {dialog}
    </>
  )
}
