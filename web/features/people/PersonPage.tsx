import { Link, useSearch } from 'wouter'
import type { PersonPage as Person } from '#contract/people/endpoints.ts'
import { isBlank } from '#contract/text.ts'
import { useSession } from '#web/features/account/index.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { usePageTitle } from '#web/lib/page-title.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { NotReady, Outdated } from '#web/ui/NotReady.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { usePersonPage } from './api.ts'
import { PersonActions } from './PersonActions.tsx'
import { PersonPost } from './PersonPost.tsx'
import { StoryOfPerson } from './StoryOfPerson.tsx'
import { TextSection } from './TextSection.tsx'

/** What a person has published under the own name, for everybody. The frame shows the 404 page when there is no such page. */
export function PersonPage({ id }: { id: string }) {
  const asked = new URLSearchParams(useSearch())
  const before = { posts: asked.get('posts-before'), stories: asked.get('stories-before') }
  const { person, posts, stories } = usePersonPage(id, before)
  const { user } = useSession()
  usePageTitle(person.status === 'ready' ? person.data.name : 'People')

  if (person.status !== 'ready') {
    const refetch = () => [person, posts, stories].forEach((part) => part.refetch())
    return <NotReady of={{ ...person, refetch }} what="This page" waiting={<Waiting />} />
  }
  const { name, introduction, postCount, storyCount } = person.data
  const isOwn = user?.id === id
  return (
    <div className="flex flex-col gap-8 pb-8 sm:pt-4">
      <header className="flex flex-col gap-6">
        <div className="flex flex-wrap items-center gap-x-5 gap-y-4">
          <Avatar name={name} size="large" />
          <div className="min-w-48 flex-1">
            <h1 dir="auto" className="text-3xl leading-tight font-semibold wrap-anywhere">
              {name}
            </h1>
            <Facts person={person.data} />
          </div>
          <PersonActions person={person.data} />
        </div>
        {!isBlank(introduction) && (
          <p dir="auto" className="reading max-w-reading whitespace-pre-wrap wrap-anywhere">
            {introduction}
          </p>
        )}
        {isBlank(introduction) && isOwn && (
          <p className="text-sm text-ink-soft">
            You have not written an introduction yet. Readers like to know who writes.
          </p>
        )}
      </header>
      <Outdated of={person} what="This page" />
      {postCount === 0 && storyCount === 0 ? (
        <EmptyState
          text={
            isOwn ? 'You have published nothing under your name yet.' : `${name} has published nothing yet.`
          }
          action={
            isOwn && (
              <Link href="/dashboard" className={buttonClass('quiet')}>
                Go to the feed
              </Link>
            )
          }
        />
      ) : (
        <div
          className={cx(
            'grid gap-x-12 gap-y-10',
            storyCount > 0 && postCount > 0 && 'lg:grid-cols-[minmax(0,1fr)_20rem]',
          )}
        >
          {postCount > 0 && (
            <TextSection
              of="posts"
              title="Posts"
              personId={id}
              texts={posts}
              isOlder={before.posts !== null}
              waitingClass="h-64 w-full max-w-reading"
              itemClass="py-6 first:pt-2"
            >
              {(post) => <PersonPost post={post} />}
            </TextSection>
          )}
          {storyCount > 0 && (
            <TextSection
              of="stories"
              title="Stories with others"
              personId={id}
              texts={stories}
              isOlder={before.stories !== null}
              waitingClass="h-64 w-full"
              itemClass="py-5 first:pt-2"
            >
              {(story) => <StoryOfPerson story={story} />}
            </TextSection>
          )}
        </div>
      )}
    </div>
  )
}

function Facts({ person: { joinedAt, postCount, storyCount } }: { person: Person }) {
  const { timeZone } = useAppConfig()
  const month = new Date(joinedAt).toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone })
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-1.5 text-sm text-ink-soft">
      <span>
        Here since <time dateTime={joinedAt}>{month}</time>
      </span>
      {postCount > 0 && (
        <Count of="posts" text={postCount === 1 ? '1 post' : `${postCount.toLocaleString('en-US')} posts`} />
      )}
      {storyCount > 0 && (
        <Count
          of="stories"
          text={storyCount === 1 ? '1 story' : `${storyCount.toLocaleString('en-US')} stories`}
        />
      )}
    </p>
  )
}

/** Leads to a section of this page: on a phone the stories are below the posts. */
function Count({ of, text }: { of: string; text: string }) {
  return (
    <>
      <span aria-hidden>·</span>
      <a href={`#${of}`} className="touch inline-flex items-center underline-offset-4 hover:underline">
        {text}
      </a>
    </>
  )
}

function Waiting() {
  return (
    <div className="flex flex-col gap-8 pb-8 sm:pt-4" role="status" aria-label="Loading the page">
      <div className="flex items-center gap-5">
        <Skeleton className="size-16 rounded-full" />
        <div className="flex flex-1 flex-col gap-2">
          <Skeleton className="h-9 w-64 max-w-full" />
          <Skeleton className="h-5 w-44" />
        </div>
      </div>
      <Skeleton className="h-24 w-full max-w-reading" />
      <Skeleton className="h-64 w-full max-w-reading" />
    </div>
  )
}
