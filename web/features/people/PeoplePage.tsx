import { Link, useLocation } from 'wouter'
import { authorsOf } from '#contract/feed/authors.ts'
import { getFeedDay } from '#contract/feed/reading/endpoints.ts'
import { conversationPath } from '#contract/messages/paths.ts'
import { personPath } from '#contract/people/paths.ts'
import { useSession } from '#web/features/account/index.ts'
import { useDetails, useLoadedPosts } from '#web/features/details/index.ts'
import { FollowButton, useMarks } from '#web/features/follows/index.ts'
import { PersonSearch } from '#web/features/friends/index.ts'
import { useEndpoint } from '#web/lib/api.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { NotReady } from '#web/ui/NotReady.tsx'
import { Skeletons } from '#web/ui/Skeletons.tsx'

export function PeoplePage() {
  usePageTitle('People')
  const { state } = useSession()
  const [, navigate] = useLocation()
  return (
    <div className="flex max-w-4xl flex-col gap-6">
      <h1 className="text-2xl">People</h1>
      {state === 'registered' && (
        <section aria-labelledby="find-people" className="max-w-md">
          <h2 id="find-people" className="mb-3 text-xl font-semibold">
            Find people
          </h2>
          <PersonSearch onOpen={({ id }) => navigate(conversationPath(id))} />
        </section>
      )}
      <section aria-labelledby="authors">
        <h2 id="authors" className="text-xl font-semibold">
          Authors
        </h2>
        <p className="mt-1 mb-4 text-sm text-ink-soft">
          Everyone with a post on a day of the feed that you have opened.
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

  if (authors.length === 0 && today.status !== 'ready')
    return (
      <NotReady
        of={today}
        what="The authors"
        waiting={<Skeletons count={4} each="h-20" className={gridClass} />}
      />
    )
  if (authors.length === 0) return <EmptyState text="No one has written today" />
  return (
    <ul className={gridClass}>
      {authors.map((author) => (
        <li key={author.id} className={cardClass}>
          <Avatar name={author.name} />
          <div className="min-w-0 flex-1 huge:basis-full pointer-coarse:-mt-4">
            {author.hasPage ? (
              <Link href={personPath(author.id)} className={nameClass}>
                {author.name}
              </Link>
            ) : (
              <button type="button" onClick={() => details.showAuthor(author)} className={nameClass}>
                {author.name}
              </button>
            )}
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

const nameClass =
  'touch block max-w-full truncate huge:whitespace-normal text-start font-serif leading-6 font-semibold pointer-coarse:pt-5 hover:text-lamp'
const gridClass = 'grid grid-cols-1 gap-3 sm:grid-cols-2'
const cardClass =
  'flex min-h-20 items-center huge:flex-wrap gap-3 rounded-lg border border-line bg-surface p-4'
