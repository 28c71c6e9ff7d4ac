import { Bookmark } from 'lucide-react'
import { cx } from '#web/ui/cx.ts'
import { Tooltip } from '#web/ui/Tooltip.tsx'
import { useChangeBookmark, useIsBookmarked } from './use-bookmarks.ts'

export function ReadLaterButton({ postId, className }: { postId: string; className: string }) {
  const isBookmarked = useIsBookmarked(postId)
  const change = useChangeBookmark()
  if (isBookmarked === undefined) return null
  const label = isBookmarked ? 'Kept for later' : 'Read later'
  return (
    <Tooltip text={label}>
      <button
        type="button"
        aria-pressed={isBookmarked}
        aria-label={label}
        className={cx(className, isBookmarked && 'text-lamp')}
        onClick={() => void change(postId, !isBookmarked)}
      >
        <Bookmark aria-hidden className={cx('size-4', isBookmarked && 'fill-current')} />
      </button>
    </Tooltip>
  )
}
