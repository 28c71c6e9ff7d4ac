import { Bookmark } from 'lucide-react'
import { cx } from '#web/ui/cx.ts'
import { Tooltip } from '#web/ui/Tooltip.tsx'
import { useChangeBookmark, useIsKept } from './use-bookmarks.ts'

/** Keeps a post to read later, or removes it. */
export function ReadLaterButton({ postId, className }: { postId: string; className: string }) {
  const isKept = useIsKept(postId)
  const change = useChangeBookmark()
  if (isKept === undefined) return null
  const label = isKept ? 'Kept for later' : 'Read later'
  return (
    <Tooltip text={label}>
      <button
        type="button"
        aria-pressed={isKept}
        aria-label={label}
        className={cx(className, isKept && 'text-lamp')}
        onClick={() => void change(postId, !isKept)}
      >
        <Bookmark aria-hidden className={cx('size-4', isKept && 'fill-current')} />
      </button>
    </Tooltip>
  )
}
