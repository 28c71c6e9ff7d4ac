import { useRef } from 'react'
import { Link } from 'wouter'
import type { PersonStory } from '#contract/people/endpoints.ts'
import { olderTextsPath } from '#contract/people/paths.ts'
import { storyPath } from '#contract/rooms/paths.ts'
import type { Loaded } from '#web/lib/api.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import type { Pages } from '#web/lib/pages.ts'
import { NotReady } from '#web/ui/NotReady.tsx'
import { ShowMore } from '#web/ui/ShowMore.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { longDate } from './long-date.ts'
import { NewestLink } from './NewestLink.tsx'

interface PersonStoriesProps {
  personId: string
  stories: Loaded<Pages<PersonStory>>
  /** The list does not begin with the newest story. */
  isOlder: boolean
}

/** The finished stories that the person has signed, each with the person's first passages. */
export function PersonStories({ personId, stories, isOlder }: PersonStoriesProps) {
  return (
    <section id="stories" aria-labelledby="stories-title" className="flex scroll-mt-16 flex-col gap-2">
      <h2 id="stories-title" className="text-xl font-semibold">
        Stories with others
      </h2>
      {isOlder && <NewestLink personId={personId} text="Newest stories" />}
      <NotReady of={stories} what="The stories" waiting={<Skeleton className="h-64 w-full" />} />
      {stories.status === 'ready' && <StoryList of={stories.data} personId={personId} />}
    </section>
  )
}

function StoryList({ of, personId }: { of: Pages<PersonStory>; personId: string }) {
  const list = useRef<HTMLUListElement>(null)
  return (
    <>
      <ul ref={list} className="flex flex-col divide-y divide-line">
        {of.items.map((story) => (
          <li key={story.id} className="py-5 first:pt-2">
            <Story story={story} />
          </li>
        ))}
      </ul>
      <ShowMore
        of={of}
        list={list}
        href={of.nextBefore === null ? undefined : olderTextsPath(personId, 'stories', of.nextBefore)}
      />
    </>
  )
}

function Story({ story: { id, name, endedAt, passageCount, passages } }: { story: PersonStory }) {
  const { timeZone } = useAppConfig()
  const more = passageCount - passages.length
  return (
    <article aria-label={name} className="flex flex-col gap-2">
      <h3 dir="auto" className="text-lg font-semibold wrap-anywhere">
        <Link href={storyPath(id)} className="touch hover:text-lamp">
          {name}
        </Link>
      </h3>
      <p className="flex flex-wrap gap-x-1.5 text-sm text-ink-soft">
        <span>{passageCount === 1 ? '1 passage' : `${passageCount} passages`}</span>
        <span aria-hidden>·</span>
        <time dateTime={endedAt}>{longDate(endedAt, timeZone)}</time>
      </p>
      <div className="flex flex-col gap-3 border-s-2 border-line ps-4 font-serif">
        {passages.map((passage) => (
          <p
            key={passage.id}
            dir="auto"
            className="line-clamp-6 leading-relaxed whitespace-pre-wrap wrap-anywhere"
          >
            {passage.content}
          </p>
        ))}
        {more > 0 && (
          <p className="font-sans text-sm text-ink-soft">
            {more === 1 ? 'And 1 more passage in the story' : `And ${more} more passages in the story`}
          </p>
        )}
      </div>
    </article>
  )
}
