import { Ellipsis, EyeOff, History, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { TakenBackPost } from '#contract/feed/own/endpoints.ts'
import { postPath } from '#contract/feed/post.ts'
import { changePath, leaveArticle, useIsOverFeed } from '#web/features/posts/index.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Menu } from '#web/ui/Menu.tsx'
import { failedDialog, part } from '#web/ui/part.tsx'
import type { OwnPostMenuProps } from './own-post-menu-part.tsx'
import { useTakeBack } from './use-own-posts.tsx'

export function OwnPostMenu({ postId, isPublished, className }: OwnPostMenuProps) {
  const [path, navigate] = useLocation()
  const isOverFeed = useIsOverFeed()
  const takeBack = useTakeBack()
  const [showsVersions, setShowsVersions] = useState(false)

  const remove = async (kind: TakenBackPost['kind']) => {
    if (!(await takeBack(postId, kind)) || path !== postPath(postId)) return
    if (isOverFeed) leaveArticle()
    else navigate('/dashboard')
  }
  return (
    <>
      <Menu
        trigger={<IconButton label="Your post" icon={Ellipsis} className={className} />}
        items={[
          { label: 'Edit', icon: Pencil, onSelect: () => navigate(changePath(postId)) },
          { label: 'Versions', icon: History, onSelect: () => setShowsVersions(true) },
          ...(isPublished
            ? [{ label: 'Unpublish', icon: EyeOff, onSelect: () => void remove('unpublished') }]
            : []),
          { label: 'Delete', icon: Trash2, danger: true, onSelect: () => void remove('deleted') },
        ]}
      />
      {showsVersions && <VersionsDialog postId={postId} onClose={() => setShowsVersions(false)} />}
    </>
  )
}

const VersionsDialog = part(async () => (await import('./VersionsDialog.tsx')).VersionsDialog, failedDialog)
