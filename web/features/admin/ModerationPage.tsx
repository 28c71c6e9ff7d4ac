import type { ComponentType } from 'react'
import { useSearchParams } from 'wouter'
import { usePageTitle } from '#web/lib/page-title.ts'
import { failedLine, part } from '#web/ui/part.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Tabs } from '#web/ui/Tabs.tsx'

const tab = (load: () => Promise<ComponentType>) =>
  part(load, failedLine, () => <Skeleton className="h-96" />)

const PostManager = tab(async () => (await import('./PostManager.tsx')).PostManager)
const AllPosts = tab(async () => (await import('./AllPosts.tsx')).AllPosts)
const ReportList = tab(async () => (await import('./ReportList.tsx')).ReportList)
const ModeratedPeople = tab(async () => (await import('./ModeratedPeople.tsx')).ModeratedPeople)

const tabs = [
  { value: 'post-manager', label: 'Post Manager', Content: PostManager },
  { value: 'all-posts', label: 'All Posts', Content: AllPosts },
  { value: 'reports', label: 'Reports', Content: ReportList },
  { value: 'suspensions', label: 'Suspensions', Content: ModeratedPeople },
] as const

/** What moderators see of the admin panel, at the addresses of its parts. */
export function ModerationPage() {
  usePageTitle('Moderation')
  const [search, setSearch] = useSearchParams()
  const { value, Content } = tabs.find((each) => each.value === search.get('part')) ?? tabs[0]
  return (
    <div className="flex flex-col gap-3 sm:gap-6">
      <h1 className="text-2xl">Moderation</h1>
      <Tabs
        label="Moderation"
        tabs={tabs}
        value={value}
        onChange={(to) => setSearch({ part: to }, { replace: true })}
      >
        <Content />
      </Tabs>
    </div>
  )
}
