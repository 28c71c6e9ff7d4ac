import { useState } from 'react'
import { listAdminPosts, listTodaysPosts } from '#contract/feed/review/endpoints.ts'
import { viewClass, viewsClass } from '#web/ui/ViewSwitch.tsx'
import { useOnePage } from './api.ts'
import { PendingPosts } from './PendingPosts.tsx'
import { PostList } from './PostList.tsx'

const views = [
  { value: 'today', label: "Today's" },
  { value: 'all', label: 'All Posts' },
] as const

/** The queue, and below it the posts of today or all posts. */
export function PostManager() {
  const [view, setView] = useState<(typeof views)[number]['value']>('today')
  return (
    <div className="flex flex-col gap-8">
      <PendingPosts />
      <section aria-labelledby="manager-posts" className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 id="manager-posts" className="text-xl font-semibold">
            Posts
          </h2>
          <div role="group" aria-label="Which posts" className={viewsClass}>
            {views.map(({ value, label }) => (
              <button
                key={value}
                type="button"
                aria-pressed={view === value}
                onClick={() => setView(value)}
                className={viewClass(view === value)}
              >
                {label}
              </button>
            ))}
          </div>
        </div>
        {view === 'today' ? <Todays /> : <All />}
      </section>
    </div>
  )
}

const pageSize = { limit: '50' }

const Todays = () => (
  <PostList
    label="today's posts"
    page={useOnePage(listTodaysPosts, pageSize)}
    empty="Nothing was submitted or published today"
  />
)

const All = () => (
  <PostList label="all posts" page={useOnePage(listAdminPosts, pageSize)} empty="There are no posts yet" />
)
