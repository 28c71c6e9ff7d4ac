import type { Stats } from '#contract/admin/endpoints.ts'
import { FailedState } from '#web/ui/FailedState.tsx'
import { Outdated } from '#web/ui/NotReady.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useStats } from './api.ts'

const cards: readonly { label: string; of: Exclude<keyof Stats, 'perDay'>; hint?: string }[] = [
  { label: 'Total posts', of: 'totalPosts' },
  { label: 'Likes', of: 'totalLikes' },
  { label: 'Comments', of: 'totalComments' },
  { label: 'Users', of: 'totalUsers' },
  { label: 'New users', of: 'newUsers', hint: 'in 24 hours' },
  { label: 'Pending', of: 'pendingPosts' },
]

export function StatCards() {
  const stats = useStats()
  if (stats.status === 'failed')
    return <FailedState text="The numbers could not be loaded." onTryAgain={stats.refetch} />
  return (
    <section aria-label="Numbers">
      <Outdated of={stats} what="The numbers" />
      <dl className="grid grid-cols-3 gap-2 sm:gap-3 xl:grid-cols-6">
        {cards.map(({ label, of, hint }) => (
          <div
            key={of}
            className="flex flex-col justify-between rounded-lg border border-line bg-surface px-2 py-1 sm:px-4 sm:py-3"
          >
            <dt className="text-xs text-ink-soft sm:text-sm">
              {label} {hint && <span className="text-xs">{hint}</span>}
            </dt>
            <dd className="font-serif text-lg tabular-nums sm:text-2xl">
              {stats.data ? (
                stats.data[of].toLocaleString('en-US')
              ) : (
                <Skeleton className="my-1 h-5 w-12 sm:h-7 sm:w-16" />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
