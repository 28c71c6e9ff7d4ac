import { authorsOf } from '#contract/feed/authors.ts'
import { getFeedDay } from '#contract/feed/endpoints.ts'
import { useSession } from '#web/features/account/index.ts'
import { FollowButton, useDetails, useLoadedPosts, useMarks } from '#web/features/details/index.ts'
import { useEndpoint } from '#web/lib/api.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { FailedState } from '#web/ui/FailedState.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'

export function PeoplePage() {
  usePageTitle('People')
  const { state } = useSession()
  return (
    <div className="mx-auto flex max-w-4xl flex-col gap-6">
      <h1 className="text-2xl">People</h1>
      {state === 'registered' && (
        <p className="rounded-lg bg-sunk px-4 py-3 text-sm text-ink-soft">
          Finding people by name and adding friends is being built.
        </p>
      )}
      <section aria-labelledby="authors">
        <h2 id="authors" className="text-xl font-semibold">
          Authors
        </h2>
        <p className="mt-1 mb-4 text-sm text-ink-soft">
          Everyone who wrote on the days of the feed that you have opened.
        </p>
        <Authors />
      </section>
    </div>
  )
}

function Authors() {
  const today = useEndpoint(getFeedDay, { params: { offset: '0' } })
  const { followed } = useMarks()
  const details = useDetails()
  const authors = authorsOf(useLoadedPosts(), followed)

  if (authors.length === 0 && today.status === 'loading') return <AuthorSkeletons />
  if (authors.length === 0 && today.status === 'failed') {
    return <FailedState text="The authors could not be loaded." onTryAgain={() => void today.refetch()} />
  }
  if (authors.length === 0) return <EmptyState text="No one has written today" />
  return (
    <ul className={gridClass}>
      {authors.map((author) => (
        <li key={author.id} className={cardClass}>
          <Avatar name={author.name} />
          <div className="min-w-0 flex-1 pointer-coarse:-mt-4">
            <button
              type="button"
              onClick={() => details.showAuthor(author)}
              className="touch block max-w-full truncate text-left font-serif leading-6 font-semibold pointer-coarse:pt-5 hover:text-lamp"
            >
              {author.name}
            </button>
            <p className="text-sm text-ink-soft">
              {author.genre} · {author.postCount === 1 ? '1 post' : `${author.postCount} posts`}
            </p>
          </div>
          <FollowButton id={author.id} name={author.name} />
        </li>
      ))}
    </ul>
  )
}

function AuthorSkeletons() {
  return (
    <div className={gridClass}>
      {[1, 2, 3, 4].map((place) => (
        <Skeleton key={place} className="h-20" />
      ))}
    </div>
  )
}

const gridClass = 'grid grid-cols-1 gap-3 sm:grid-cols-2'
const cardClass = 'flex min-h-20 items-center gap-3 rounded-lg border border-line bg-surface p-4'
