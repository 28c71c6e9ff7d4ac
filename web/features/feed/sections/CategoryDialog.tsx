import { categoryOfPost, summariesOfCategories, type Category } from '#contract/feed/categories.ts'
import { Tabs } from '#web/ui/Tabs.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import type { FeedSectionsProps } from './FeedSections.tsx'
import { PostTile } from './PostTile.tsx'
import { gridCardClass } from './SectionFrame.tsx'
import { byCategory } from './titles.ts'

interface CategoryDialogProps extends FeedSectionsProps {
  shown: Category | 'all'
  onShow: (shown: Category | 'all') => void
  onClose: () => void
}

/** The posts of the day, of one category or of all. */
export function CategoryDialog({ posts, dayLabel, shown, onShow, onClose }: CategoryDialogProps) {
  const found = posts.filter((post) => shown === 'all' || categoryOfPost(post) === shown)
  const tabs = [
    { value: 'all' as const, label: `All (${posts.length})` },
    ...summariesOfCategories(posts).map(({ name, count }) => ({ value: name, label: `${name} (${count})` })),
  ]
  return (
    <Dialog title={byCategory} description={dayLabel} size="large" onClose={onClose}>
      <Tabs label="Categories" tabs={tabs} value={shown} onChange={onShow}>
        {found.length === 0 ? (
          <EmptyState text="No posts of this category on this day." />
        ) : (
          <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
            {found.map((post) => (
              <PostTile key={post.id} post={post} className={gridCardClass} />
            ))}
          </div>
        )}
      </Tabs>
    </Dialog>
  )
}
