import { ArrowLeft } from 'lucide-react'
import { useRef } from 'react'
import { Link } from 'wouter'
import { dateLabel, dayOf } from '#contract/days.ts'
import type { PublicPost } from '#contract/feed/post.ts'
import { listFollowedPosts, listFollows } from '#contract/follows/endpoints.ts'
import { SignInNotice, useSession } from '#web/features/account/index.ts'
import { FollowedPeople, useFollowed } from '#web/features/follows/index.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { usePageTitle } from '#web/lib/page-title.ts'
import { type Pages, usePages } from '#web/lib/pages.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ListNotReady } from '#web/ui/ListNotReady.tsx'
import { NotReady, Outdated } from '#web/ui/NotReady.tsx'
import { ShowMore } from '#web/ui/ShowMore.tsx'
import { Skeletons } from '#web/ui/Skeletons.tsx'
import { isInFeed, pathInFeed } from './day-names.ts'
import { PostCard } from './PostCard.tsx'

const title = 'From people you follow'

/** The posts of the people whom the reader follows, and these people. */
export function FollowingPage() {
  usePageTitle(title)
  const { state } = useSession()
  return (
    <section aria-labelledby="page-name" className="flex flex-col gap-6 pb-8">
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line pb-2 sm:pb-4">
        <h1 id="page-name" className="text-2xl">
          {title}
        </h1>
        {state === 'registered' && <ToPeople />}
        <Link
          href="/dashboard"
          className="touch inline-flex items-center gap-1.5 text-sm text-lamp hover:underline"
        >
          <ArrowLeft aria-hidden className="size-4 rtl:-scale-x-100" />
          The whole feed
        </Link>
      </header>
      {state === 'unknown' && <Waiting />}
      {state === 'registered' && <Followed />}
      {(state === 'none' || state === 'guest') && (
        <SignInNotice text="With an account you follow writers and read their posts here. Nobody sees whom you follow." />
      )}
    </section>
  )
}

/** On a phone the people are below all posts. */
function ToPeople() {
  const people = usePeople()
  if (people.status !== 'ready' || people.data.items.length === 0) return null
  return (
    <a
      href="#people"
      className="touch order-last inline-flex items-center text-sm text-lamp hover:underline lg:hidden"
    >
      People
    </a>
  )
}

const usePeople = () => usePages(listFollows, { limit: '50' })

const Waiting = () => (
  <Skeletons count={3} each="h-64" className="mx-auto flex w-full max-w-3xl flex-col gap-5" />
)

function Followed() {
  const posts = usePages(listFollowedPosts, { limit: '10' })
  const people = usePeople()
  const followsNobody = useFollowed().size === 0
  if (posts.status !== 'ready') return <NotReady of={posts} what="The posts" waiting={<Waiting />} />
  const { items } = posts.data
  if (items.length === 0 && people.status === 'loading') return <Waiting />
  if (items.length === 0 && people.data?.items.length === 0)
    return (
      <EmptyState
        text="You follow nobody yet. Press Follow on the page of a writer, and what they publish appears here. Nobody sees whom you follow."
        action={
          <Link href="/users" className={buttonClass()}>
            Find people
          </Link>
        }
      />
    )
  return (
    <div className="grid gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,48rem)_minmax(16rem,20rem)] lg:justify-between">
      <div className="flex flex-col gap-5">
        <Outdated of={posts} what="The posts" />
        {items.length === 0 ? (
          <EmptyState
            text={
              followsNobody
                ? 'You follow nobody now. Until you leave this page, you can follow the same people again.'
                : 'Nobody you follow has published anything yet.'
            }
          />
        ) : (
          <PostsByDay posts={posts.data} />
        )}
      </div>
      {people.data?.items.length !== 0 && (
        <section aria-labelledby="people" className="flex flex-col gap-2">
          <h2 id="people" className="scroll-mt-20 text-lg font-semibold">
            People you follow
          </h2>
          {people.status === 'ready' ? (
            <FollowedPeople people={people.data} />
          ) : (
            <ListNotReady of={people} what="The people you follow" count={3} each="h-14" />
          )}
        </section>
      )}
    </div>
  )
}

function PostsByDay({ posts }: { posts: Pages<PublicPost> }) {
  const list = useRef<HTMLUListElement>(null)
  const { timeZone } = useAppConfig()
  const days = posts.items.map(({ publishedAt }) => dayOf(new Date(publishedAt!), timeZone))
  return (
    <>
      <ul ref={list} className="flex flex-col gap-5" aria-label="Posts">
        {posts.items.map((post, i) => (
          <li key={post.id} className="flex flex-col gap-3 not-first:has-[h2]:mt-3">
            {days[i] !== days[i - 1] && <DayHeading day={days[i]!} />}
            <PostCard post={post} />
          </li>
        ))}
      </ul>
      <ShowMore of={posts} list={list} />
    </>
  )
}

/** Leads to the day of the feed, if the feed goes back that far. */
function DayHeading({ day }: { day: string }) {
  const { today } = useAppConfig()
  const label = dateLabel(day, today)
  return (
    <h2 className="font-serif text-lg">
      {isInFeed(day, today) ? (
        <Link href={pathInFeed(day, today)} className="touch hover:text-lamp">
          {label}
        </Link>
      ) : (
        label
      )}
    </h2>
  )
}
