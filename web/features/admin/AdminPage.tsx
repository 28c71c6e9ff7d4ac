import { useSearchParams } from 'wouter'
import { usePageTitle } from '#web/lib/page-title.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Tabs } from '#web/ui/Tabs.tsx'
import { PendingPosts } from './PendingPosts.tsx'

export function AdminPage() {
  usePageTitle('Admin Panel')
  const [search, setSearch] = useSearchParams()
  const tab = tabs.find(({ value }) => value === search.get('part'))?.value ?? 'post-manager'
  return (
    <div className="flex flex-col gap-6">
      <h1 className="text-2xl">Admin Panel</h1>
      <Tabs
        label="Admin"
        tabs={tabs}
        value={tab}
        onChange={(value) => setSearch({ part: value }, { replace: true })}
      >
        {tab === 'post-manager' ? (
          <PendingPosts />
        ) : (
          <EmptyState text="This part is being built" drawing="lamp" />
        )}
      </Tabs>
    </div>
  )
}

const tabs = [
  { value: 'post-manager', label: 'Post Manager' },
  { value: 'create-content', label: 'Create Content' },
  { value: 'all-posts', label: 'All Posts' },
  { value: 'user-management', label: 'User Management' },
  { value: 'analytics', label: 'Analytics' },
] as const
